"""`key`: which key signs the book's checkpoints, and how another one follows."""

import typer

from ledger.answers import Answer
from ledger.seal.keys import KeyChain
from ops import bootstrap, signing_keys
from ops.cli.inputs import Actor, Reason
from ops.cli.output import Json, answered, emit, fields
from ops.cli.wiring import CLERK, desk, settings

app = typer.Typer(
    help="The key that signs checkpoints.", no_args_is_help=True, add_completion=False
)


@app.command("show", epilog="Example: contoposta key show")
def show(*, as_json: Json = False) -> None:
    """Tell the key that verifies the newest checkpoints, and those that came before it."""
    given = settings()
    at_hand = [key.verifying_key.text() for key in signing_keys.signing_keys(given)]
    with bootstrap.connected(given) as connection:
        signing_keys.check_signing_key(given, connection)
        rotations = KeyChain.read(connection, given.book).rotations
    document = {
        "key": rotations[-1].new.text() if rotations else at_hand[0],
        "before": [rotation.old.text() for rotation in reversed(rotations)],
        "rotated_at_positions": [rotation.position for rotation in reversed(rotations)],
    }
    emit(document, lambda: fields(document), as_json=as_json)


@app.command("rotate", epilog='Example: contoposta key rotate --reason "yearly" --actor ada')
def rotate(*, reason: Reason, actor: Actor = CLERK, as_json: Json = False) -> None:
    """Have a new key sign from now on; the old one seals that, and its file is gone.

    Cut short anywhere, it goes on when it is given again.
    """
    given, at = settings(), desk(actor)
    with bootstrap.connected(given, "sealer") as connection:
        done = signing_keys.rotate(given, at, connection, reason)
    if isinstance(done, Answer):
        answered(done, "", as_json=as_json)
        return
    document = {"key": done.new.text(), "before": done.old.text(), "file": str(done.file)}
    if given.signing_key_text is not None:
        document["now"] = f"give the content of the file as {signing_keys.TEXT}, then delete it"
    emit(document, lambda: fields(document), as_json=as_json)
