"""The desktop around the window: its bus, its tray, its keys, its other programs and windows."""
