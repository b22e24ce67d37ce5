"""Models for OpenVINO: built from weights, from ONNX files, or converted."""
