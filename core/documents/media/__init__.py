"""The metadata of pictures, sound and film, read without decoding the media."""
