# SPDX-License-Identifier: MIT
#
# Changes a session file as a program of somebody else could, so that its checksum fits again.

import contextlib
import hashlib
import sqlite3
import struct
import zlib


def checksum(db):
    """The checksum of a session, as app/session/schema.c computes it."""
    sha = hashlib.sha256()

    def add(kind, data):
        sha.update(kind + struct.pack("<Q", len(data)) + data)

    def add_rows(sql):
        for row in db.execute(sql):
            for value in row:
                if value is None:
                    add(b"n", b"")
                elif isinstance(value, int):
                    add(b"i", struct.pack("<q", value))
                elif isinstance(value, float):
                    add(b"r", struct.pack("<d", value))
                elif isinstance(value, str):
                    add(b"t", value.encode("utf-8", "surrogateescape"))
                else:
                    add(b"b", value)

    add_rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")
    for (name,) in db.execute("SELECT name FROM sqlite_schema ORDER BY name").fetchall():
        where = "WHERE \"key\" <> 'sha256'" if name == "meta" else ""
        add_rows(f'SELECT rowid, * FROM "{name}" {where} ORDER BY rowid')
    return sha.hexdigest()


@contextlib.contextmanager
def changing(path):
    """The database of a session. Changes to it are kept, with a checksum that fits."""
    db = sqlite3.connect(path)
    db.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
    stored = db.execute("SELECT value FROM meta WHERE \"key\" = 'sha256'").fetchone()[0]
    assert stored == checksum(db), "The checksum of a session is made otherwise."
    yield db
    # Checksums of single runs and searches. A file without them is checked as a whole.
    db.execute("DELETE FROM meta WHERE \"key\" LIKE 'sha256 %'")
    db.execute("UPDATE meta SET value = ? WHERE \"key\" = 'sha256'", (checksum(db),))
    db.commit()
    db.close()


def change(path, sql, *values):
    """Executes one statement on a session, which must change at least one row."""
    with changing(path) as db:
        assert db.execute(sql, values).rowcount > 0, f"Nothing was changed: {sql}"
    return path


def change_code(path, *replaced):
    """Replaces texts of the code that a session holds by others of the same length."""
    with changing(path) as db:
        (blob,) = db.execute("SELECT value FROM member WHERE name = 'code'").fetchone()
        data = zlib.decompress(blob[8:]) if blob[0] == 1 else blob[8:]
        for old, new in replaced:
            assert len(old) == len(new) and old in data, old
            data = data.replace(old, new)
        db.execute("UPDATE member SET value = ? WHERE name = 'code'",
                   (struct.pack("<BBHI", 0, 1, 0, len(data)) + data,))
    return path
