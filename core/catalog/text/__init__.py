"""Text as the catalog compares it: plain letters, normal forms, joined words, signatures."""
