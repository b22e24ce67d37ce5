"""Files and their locations: on disks and in buckets, of this program and of others."""
