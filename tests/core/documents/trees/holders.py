"""Document trees as mails and archives, whose parts and members are files of other formats."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP

from tests.core.containers import zip_bytes
from tests.core.documents.trees import elements, markup
from tests.core.documents.trees.document_tree import Block, Code, Listing, Quote, Table, Tree


def mail(tree: Tree) -> bytes:
    """Return a mail: its blocks are parts in turns of text and HTML, attachments, or mails."""
    return _mail(tree.blocks, 0).as_bytes(policy=SMTP)


def _mail(blocks: tuple[Block, ...], depth: int) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = "anna@example.org", "bob@example.org"
    message["Date"] = "Mon, 01 Jan 2024 12:00:00 +0000"
    message["Subject"] = f"Level {depth}"
    texts = tuple(block for block in blocks if not isinstance(block, Code | Table | Quote))
    message.set_content("\n\n".join(Tree(texts, ()).lines()))
    for number, block in enumerate(blocks):
        if isinstance(block, Quote):
            message.add_attachment(_mail(block.blocks, depth + 1))
        elif isinstance(block, Table):
            name, page = f"table{number}.html", elements.html(Tree((block,), ()))
            message.add_attachment(page, maintype="text", subtype="html", filename=name)
        elif isinstance(block, Code):
            source = "\n".join(block.lines)
            message.add_attachment(source, filename=f"code{number}.txt")
    return message


def web_mail(tree: Tree) -> bytes:
    """Return a mail in HTML only."""
    message = EmailMessage()
    message["From"], message["Date"] = "anna@example.org", "Mon, 01 Jan 2024 12:00:00 +0000"
    message.set_content(elements.html_blocks(tree.blocks), subtype="html")
    return message.as_bytes(policy=SMTP)


def archive(tree: Tree) -> bytes:
    """Return an archive with a file for each block, and an archive in it for each list."""
    return _archive(tree.blocks)


def _archive(blocks: tuple[Block, ...]) -> bytes:
    members: dict[str, bytes] = {}
    for number, block in enumerate(blocks):
        if isinstance(block, Listing):
            items = (_archive(item) for item in block.items)
            members |= {f"list{number}/{place}.zip": item for place, item in enumerate(items)}
        elif isinstance(block, Quote):
            members[f"{number}.eml"] = mail(Tree((block,), ()))
        else:
            members[f"{number}.md"] = markup.markdown(Tree((block,), ()))
    return zip_bytes(members)
