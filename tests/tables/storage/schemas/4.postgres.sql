-- A PostgreSQL database of version 4.

CREATE TABLE facts (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE log (
    table_id text NOT NULL,
    n integer NOT NULL,
    time bigint NOT NULL,
    body bytea NOT NULL,
    writer bigint NOT NULL,
    written timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (table_id, n)
);
CREATE INDEX log_written ON log (written);
CREATE TABLE tables (
    table_id text PRIMARY KEY,
    game text NOT NULL,
    status text NOT NULL,
    listed boolean NOT NULL,
    free integer NOT NULL,
    changed bigint NOT NULL,
    due bigint,
    source text NOT NULL DEFAULT ''
);
CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL;
CREATE INDEX tables_listed ON tables (table_id) WHERE listed AND status = 'waiting';
CREATE INDEX tables_unfinished ON tables (status) WHERE status <> 'finished';
CREATE TABLE sitters (
    device text NOT NULL,
    table_id text NOT NULL,
    seat integer NOT NULL,
    PRIMARY KEY (device, table_id, seat)
);
CREATE INDEX tables_source ON tables (source) WHERE listed AND status = 'waiting';
CREATE INDEX tables_by_age ON tables (status, changed) WHERE status <> 'finished';
CREATE INDEX sitters_table ON sitters (table_id);
CREATE TABLE presence (
    table_id text NOT NULL,
    seat integer NOT NULL,
    seen bigint NOT NULL,
    PRIMARY KEY (table_id, seat)
);
CREATE TABLE shelf (
    n bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL,
    key text NOT NULL,
    time bigint NOT NULL,
    used bigint NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (kind, key)
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
INSERT INTO log VALUES ('tea', 0, 1000, '\x00ff27', 7, '2026-01-01 12:00:00+00');
INSERT INTO log VALUES ('tea', 1, 1010, '\x', 7, '2026-01-01 12:00:10+00');
INSERT INTO log VALUES ('hat', 0, 1020, '\x686174', 8, '2026-01-01 12:00:20+00');
INSERT INTO shelf (kind, key, time, used, body) VALUES ('record', 'mouse', 1040, 1050, '\x00ff27');
