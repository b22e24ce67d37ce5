"""Readers of mails and mailboxes."""
