-- An SQLite database of version 4.

CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE log (
    seq INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL,
    n INTEGER NOT NULL,
    time INTEGER NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (table_id, n)
);
CREATE TABLE tables (
    table_id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    status TEXT NOT NULL,
    listed INTEGER NOT NULL,
    free INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    due INTEGER,
    source TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL;
CREATE INDEX tables_listed ON tables (changed) WHERE listed AND status = 'waiting';
CREATE INDEX tables_unfinished ON tables (status) WHERE status <> 'finished';
CREATE TABLE sitters (
    device TEXT NOT NULL,
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    PRIMARY KEY (device, table_id, seat)
) WITHOUT ROWID;
CREATE INDEX tables_source ON tables (source) WHERE listed AND status = 'waiting';
CREATE INDEX tables_by_age ON tables (status, changed) WHERE status <> 'finished';
CREATE INDEX sitters_table ON sitters (table_id);
CREATE TABLE presence (
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE TABLE shelf (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    time INTEGER NOT NULL,
    used INTEGER NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (kind, key)
);
CREATE INDEX shelf_time ON shelf (kind, time);
CREATE INDEX shelf_used ON shelf (kind, used);

INSERT INTO facts VALUES ('schema', '4');
INSERT INTO facts VALUES ('key', '0123456789abcdef');
INSERT INTO tables VALUES ('tea', 'croquet', 'waiting', true, 2, 1010, NULL, '');
INSERT INTO tables VALUES ('hat', 'chess', 'playing', false, 0, 1020, 1500, '');
INSERT INTO sitters VALUES ('alice', 'tea', 0);
INSERT INTO sitters VALUES ('alice', 'hat', 1);
INSERT INTO presence VALUES ('hat', 1, 1030);
INSERT INTO log VALUES (1, 'tea', 0, 1000, x'00ff27');
INSERT INTO log VALUES (2, 'tea', 1, 1010, x'');
INSERT INTO log VALUES (3, 'hat', 0, 1020, x'686174');
INSERT INTO shelf VALUES ('record', 'mouse', 1040, 1050, x'00ff27');
