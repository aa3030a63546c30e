PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE store (
        id INTEGER PRIMARY KEY,
        url TEXT NOT NULL UNIQUE
    ) STRICT;
INSERT INTO store VALUES(1,'http://plants.example');
INSERT INTO store VALUES(2,'https://elsewhere.example/api');
CREATE TABLE operation (
        seq INTEGER PRIMARY KEY,
        store INTEGER NOT NULL REFERENCES store(id),
        origin INTEGER NOT NULL,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,
        plant_id INTEGER NOT NULL,
        name TEXT,
        tag TEXT,
        asked_at INTEGER NOT NULL,
        outcome TEXT,
        UNIQUE (origin, number)
    ) STRICT;
INSERT INTO operation VALUES(1,1,1,1,'add',7,'Monstera','tropical',1700000001000,'accepted');
INSERT INTO operation VALUES(2,1,1,2,'add',8,'Fern','shade',1700000002000,'accepted');
INSERT INTO operation VALUES(3,1,1,3,'delete',8,'Fern','shade',1700000003000,'accepted');
INSERT INTO operation VALUES(4,1,1,4,'add',9,'Cactus 🌵','désert',1700000004000,'rejected');
INSERT INTO operation VALUES(5,1,1,5,'add',10,'Aloe','',1700000005000,'unknown');
INSERT INTO operation VALUES(6,1,1,6,'delete',7,'Monstera','tropical',1700000006000,'unknown');
INSERT INTO operation VALUES(7,1,1,7,'delete',-5,NULL,NULL,1700000007000,'unknown');
INSERT INTO operation VALUES(8,1,1,8,'add',11,'Ivy','climber',1700000008000,'not_sent');
INSERT INTO operation VALUES(9,1,1,9,'add',12,'Forgotten','f',1700000009000,'unknown');
INSERT INTO operation VALUES(10,1,1,10,'add',13,'Marked','m',1700000011000,'unknown');
INSERT INTO operation VALUES(11,1,1,11,'add',14,'First name','t',1700000013000,'accepted');
INSERT INTO operation VALUES(12,1,1,12,'delete',14,'First name','t',1700000014000,'accepted');
INSERT INTO operation VALUES(13,1,1,13,'add',14,'Second name','t',1700000015000,'accepted');
INSERT INTO operation VALUES(14,1,1,14,'delete',14,'Second name','t',1700000016000,'accepted');
INSERT INTO operation VALUES(15,2,1,15,'add',9223372036854775807,'Edge','e',1700000017000,'accepted');
INSERT INTO operation VALUES(16,2,1,16,'add',-9223372036854775808,'Other edge','e',1700000018000,'unknown');
INSERT INTO operation VALUES(17,1,1,17,'add',15,'In flight','x',1700000019000,'unknown');
CREATE TABLE exchange (
        seq INTEGER PRIMARY KEY,
        operation INTEGER NOT NULL REFERENCES operation(seq),
        store INTEGER NOT NULL REFERENCES store(id),
        plant_id INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        status INTEGER,
        started INTEGER NOT NULL,
        elapsed_us INTEGER NOT NULL,
        at INTEGER NOT NULL,
        request TEXT,
        ending TEXT NOT NULL,
        body BLOB
    ) STRICT;
INSERT INTO exchange VALUES(1,1,1,7,'accepted',201,1700000001000,1234,1700000001000,'{"method":"Post","url":"http://plants.example/plants","target":"/plants","headers":[{"name":"authorization","value":"Bearer ****"}],"body":"{\"name\":\"Monstera\",\"id\":7,\"tag\":\"tropical\"}"}','{"Answered":{"status":201,"reason":"Created","version":"HTTP/1.1","headers":[{"name":"content-type","value":"application/json"}],"body":[],"body_end":"Complete"}}',X'7b226e616d65223a224d6f6e7374657261222c22746167223a2274726f706963616c227d');
INSERT INTO exchange VALUES(2,2,1,8,'accepted',201,1700000002000,1234,1700000002000,'{"method":"Post","url":"http://plants.example/plants","target":"/plants","headers":[{"name":"authorization","value":"Bearer ****"}],"body":"{\"name\":\"Fern\",\"id\":8,\"tag\":\"shade\"}"}','{"Answered":{"status":201,"reason":"Created","version":"HTTP/1.1","headers":[{"name":"content-type","value":"application/json"}],"body":[],"body_end":"Complete"}}',X'7b226e616d65223a224665726e222c22746167223a227368616465227d');
INSERT INTO exchange VALUES(3,3,1,8,'accepted',204,1700000003000,1234,1700000003000,'{"method":"Delete","url":"http://plants.example/plants","target":"/plants","headers":[{"name":"authorization","value":"Bearer ****"}],"body":null}','{"Answered":{"status":204,"reason":"No Content","version":"HTTP/1.1","headers":[{"name":"content-type","value":"application/json"}],"body":[],"body_end":"Complete"}}',X'');
INSERT INTO exchange VALUES(4,4,1,9,'rejected',409,1700000004000,1234,1700000004000,'{"method":"Post","url":"http://plants.example/plants","target":"/plants","headers":[{"name":"authorization","value":"Bearer ****"}],"body":"{\"name\":\"Cactus 🌵\",\"id\":9,\"tag\":\"désert\"}"}','{"Answered":{"status":409,"reason":"Conflict","version":"HTTP/1.1","headers":[{"name":"content-type","value":"application/json"}],"body":[],"body_end":"Complete"}}',X'7b226572726f72223a227468657265206973206f6e65227d');
INSERT INTO exchange VALUES(5,5,1,10,'unknown',NULL,1700000005000,1234,1700000005000,'{"method":"Post","url":"http://plants.example/plants","target":"/plants","headers":[{"name":"authorization","value":"Bearer ****"}],"body":"{\"name\":\"Aloe\",\"id\":10,\"tag\":\"\"}"}','{"Failed":{"kind":"TimedOut","detail":"as it was told"}}',NULL);
INSERT INTO exchange VALUES(6,6,1,7,'unknown',503,1700000006000,1234,1700000006000,'{"method":"Delete","url":"http://plants.example/plants","target":"/plants","headers":[{"name":"authorization","value":"Bearer ****"}],"body":null}','{"Answered":{"status":503,"reason":"Service Unavailable","version":"HTTP/1.1","headers":[{"name":"content-type","value":"application/json"}],"body":[],"body_end":"Complete"}}',X'6c61746572ff');
INSERT INTO exchange VALUES(7,7,1,-5,'unknown',NULL,1700000007000,1234,1700000007000,'{"method":"Delete","url":"http://plants.example/plants","target":"/plants","headers":[{"name":"authorization","value":"Bearer ****"}],"body":null}','{"Failed":{"kind":"NoAnswer","detail":"as it was told"}}',NULL);
INSERT INTO exchange VALUES(8,8,1,11,'not_sent',NULL,1700000008000,1234,1700000008000,'{"method":"Post","url":"http://plants.example/plants","target":"/plants","headers":[{"name":"authorization","value":"Bearer ****"}],"body":"{\"name\":\"Ivy\",\"id\":11,\"tag\":\"climber\"}"}','{"Failed":{"kind":"NotConnected","detail":"as it was told"}}',NULL);
INSERT INTO exchange VALUES(9,9,1,12,'unknown',NULL,1700000009000,1234,1700000009000,'{"method":"Post","url":"http://plants.example/plants","target":"/plants","headers":[{"name":"authorization","value":"Bearer ****"}],"body":"{\"name\":\"Forgotten\",\"id\":12,\"tag\":\"f\"}"}','{"Failed":{"kind":"NoAnswer","detail":"as it was told"}}',NULL);
INSERT INTO exchange VALUES(10,10,1,13,'unknown',NULL,1700000011000,1234,1700000011000,'{"method":"Post","url":"http://plants.example/plants","target":"/plants","headers":[{"name":"authorization","value":"Bearer ****"}],"body":"{\"name\":\"Marked\",\"id\":13,\"tag\":\"m\"}"}','{"Failed":{"kind":"NoAnswer","detail":"as it was told"}}',NULL);
INSERT INTO exchange VALUES(11,11,1,14,'accepted',200,1700000013000,1234,1700000013000,'{"method":"Post","url":"http://plants.example/plants","target":"/plants","headers":[{"name":"authorization","value":"Bearer ****"}],"body":"{\"name\":\"First name\",\"id\":14,\"tag\":\"t\"}"}','{"Answered":{"status":200,"reason":"OK","version":"HTTP/1.1","headers":[{"name":"content-type","value":"application/json"}],"body":[],"body_end":"Complete"}}',X'7b7d');
INSERT INTO exchange VALUES(12,12,1,14,'accepted',200,1700000014000,1234,1700000014000,'{"method":"Delete","url":"http://plants.example/plants","target":"/plants","headers":[{"name":"authorization","value":"Bearer ****"}],"body":null}','{"Answered":{"status":200,"reason":"OK","version":"HTTP/1.1","headers":[{"name":"content-type","value":"application/json"}],"body":[],"body_end":"Complete"}}',X'');
INSERT INTO exchange VALUES(13,13,1,14,'accepted',200,1700000015000,1234,1700000015000,'{"method":"Post","url":"http://plants.example/plants","target":"/plants","headers":[{"name":"authorization","value":"Bearer ****"}],"body":"{\"name\":\"Second name\",\"id\":14,\"tag\":\"t\"}"}','{"Answered":{"status":200,"reason":"OK","version":"HTTP/1.1","headers":[{"name":"content-type","value":"application/json"}],"body":[],"body_end":"Complete"}}',X'7b7d');
INSERT INTO exchange VALUES(14,14,1,14,'accepted',200,1700000016000,1234,1700000016000,'{"method":"Delete","url":"http://plants.example/plants","target":"/plants","headers":[{"name":"authorization","value":"Bearer ****"}],"body":null}','{"Answered":{"status":200,"reason":"OK","version":"HTTP/1.1","headers":[{"name":"content-type","value":"application/json"}],"body":[],"body_end":"Complete"}}',X'');
INSERT INTO exchange VALUES(15,15,2,9223372036854775807,'accepted',201,1700000017000,1234,1700000017000,'{"method":"Post","url":"http://plants.example/plants","target":"/plants","headers":[{"name":"authorization","value":"Bearer ****"}],"body":"{\"name\":\"Edge\",\"id\":9223372036854775807,\"tag\":\"e\"}"}','{"Answered":{"status":201,"reason":"","version":"HTTP/1.1","headers":[{"name":"content-type","value":"application/json"}],"body":[],"body_end":"Complete"}}',X'6e6f74206a736f6e');
INSERT INTO exchange VALUES(16,16,2,-9223372036854775808,'unknown',NULL,1700000018000,0,1700000020000,NULL,'{"Failed":{"kind":"Interrupted","detail":""}}',NULL);
INSERT INTO exchange VALUES(17,17,1,15,'unknown',NULL,1700000019000,0,1700000020000,NULL,'{"Failed":{"kind":"Interrupted","detail":""}}',NULL);
CREATE TABLE settlement (
        seq INTEGER PRIMARY KEY,
        store INTEGER NOT NULL REFERENCES store(id),
        plant_id INTEGER NOT NULL,
        what TEXT NOT NULL,
        at INTEGER NOT NULL
    , after_exchange INTEGER) STRICT;
INSERT INTO settlement VALUES(1,1,12,'forget',1700000010000,NULL);
INSERT INTO settlement VALUES(2,1,13,'mark_stored',1700000012000,NULL);
CREATE TABLE plant (
        store INTEGER NOT NULL REFERENCES store(id),
        id INTEGER NOT NULL,
        state TEXT NOT NULL,
        name TEXT,
        tag TEXT,
        changed_at INTEGER NOT NULL,
        record TEXT NOT NULL,
        UNIQUE (store, id)
    ) STRICT;
INSERT INTO plant VALUES(1,7,'unknown','Monstera','tropical',1700000006000,'{"id":7,"stored":true,"details":{"name":"Monstera","tag":"tropical"},"open":[{"operation":{"origin":1,"number":6},"ask":{"Delete":7},"phase":"InDoubt","before":1700000001000}],"changed_at":1700000006000}');
INSERT INTO plant VALUES(1,10,'unknown','Aloe','',1700000005000,'{"id":10,"stored":false,"details":null,"open":[{"operation":{"origin":1,"number":5},"ask":{"Add":{"name":"Aloe","id":10,"tag":""}},"phase":"InDoubt","before":0}],"changed_at":1700000005000}');
INSERT INTO plant VALUES(1,-5,'unknown',NULL,NULL,1700000007000,'{"id":-5,"stored":false,"details":null,"open":[{"operation":{"origin":1,"number":7},"ask":{"Delete":-5},"phase":"InDoubt","before":0}],"changed_at":1700000007000}');
INSERT INTO plant VALUES(1,13,'stored','Marked','m',1700000012000,'{"id":13,"stored":true,"details":{"name":"Marked","tag":"m"},"open":[],"changed_at":1700000012000}');
INSERT INTO plant VALUES(2,9223372036854775807,'stored','Edge','e',1700000017000,'{"id":9223372036854775807,"stored":true,"details":{"name":"Edge","tag":"e"},"open":[],"changed_at":1700000017000}');
INSERT INTO plant VALUES(2,-9223372036854775808,'unknown','Other edge','e',1700000020000,'{"id":-9223372036854775808,"stored":false,"details":null,"open":[{"operation":{"origin":1,"number":16},"ask":{"Add":{"name":"Other edge","id":-9223372036854775808,"tag":"e"}},"phase":"InDoubt","before":0}],"changed_at":1700000020000}');
INSERT INTO plant VALUES(1,15,'unknown','In flight','x',1700000020000,'{"id":15,"stored":false,"details":null,"open":[{"operation":{"origin":1,"number":17},"ask":{"Add":{"name":"In flight","id":15,"tag":"x"}},"phase":"InDoubt","before":0}],"changed_at":1700000020000}');
CREATE TABLE tally (
        store INTEGER NOT NULL REFERENCES store(id),
        state TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (store, state)
    ) STRICT, WITHOUT ROWID;
INSERT INTO tally VALUES(1,'adding',0);
INSERT INTO tally VALUES(1,'deleting',0);
INSERT INTO tally VALUES(1,'stored',1);
INSERT INTO tally VALUES(1,'unknown',4);
INSERT INTO tally VALUES(2,'adding',0);
INSERT INTO tally VALUES(2,'stored',1);
INSERT INTO tally VALUES(2,'unknown',1);
CREATE TABLE departure (
        seq INTEGER PRIMARY KEY,
        store INTEGER NOT NULL REFERENCES store(id),
        plant_id INTEGER NOT NULL,
        name TEXT NOT NULL,
        tag TEXT NOT NULL,
        how TEXT NOT NULL,
        at INTEGER NOT NULL
    ) STRICT;
INSERT INTO departure VALUES(1,1,8,'Fern','shade','deleted',1700000003000);
INSERT INTO departure VALUES(2,1,9,'Cactus 🌵','désert','rejected',1700000004000);
INSERT INTO departure VALUES(3,1,11,'Ivy','climber','not_sent',1700000008000);
INSERT INTO departure VALUES(4,1,12,'Forgotten','f','forgotten',1700000010000);
INSERT INTO departure VALUES(5,1,14,'First name','t','deleted',1700000014000);
INSERT INTO departure VALUES(6,1,14,'Second name','t','deleted',1700000016000);
CREATE INDEX operation_by_plant ON operation (store, plant_id);
CREATE INDEX operation_open ON operation (origin) WHERE outcome IS NULL;
CREATE INDEX exchange_by_plant ON exchange (store, plant_id);
CREATE INDEX settlement_by_plant ON settlement (store, plant_id);
CREATE INDEX plant_in_doubt ON plant (store, id) WHERE state = 'unknown';
CREATE INDEX departure_by_plant ON departure (store, plant_id);
CREATE INDEX exchange_by_store ON exchange (store, seq, operation, status, outcome);
COMMIT;
PRAGMA application_id = 1347178068;
PRAGMA user_version = 2;
