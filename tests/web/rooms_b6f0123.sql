BEGIN TRANSACTION;
CREATE TABLE absences (
	id INTEGER NOT NULL,
	since BIGINT NOT NULL,
	until BIGINT NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE events (
	room VARCHAR(32) NOT NULL,
	number INTEGER NOT NULL,
	kind VARCHAR(16) NOT NULL,
	seat INTEGER,
	text TEXT NOT NULL,
	time BIGINT NOT NULL,
	"left" TEXT NOT NULL,
	PRIMARY KEY (room, number)
);
INSERT INTO "events" VALUES('IjnalfcYsXCZ',1,'play',0,'a1e3',1794909157262,'300000,300000');
INSERT INTO "events" VALUES('IjnalfcYsXCZ',2,'play',1,'h8d6',1794909162862,'300000,300000');
INSERT INTO "events" VALUES('IjnalfcYsXCZ',3,'undo',1,'1',1794909162865,'299997,300000');
INSERT INTO "events" VALUES('IjnalfcYsXCZ',4,'name',1,'bob',1794909162873,'299997,300000');
INSERT INTO "events" VALUES('IjnalfcYsXCZ',5,'play',1,'h8d6',1794909162877,'299997,300000');
INSERT INTO "events" VALUES('IjnalfcYsXCZ',6,'pause',0,'',1794909162885,'299989,300000');
INSERT INTO "events" VALUES('IjnalfcYsXCZ',7,'resume',0,'',1794909162889,'299989,300000');
INSERT INTO "events" VALUES('IjnalfcYsXCZ',8,'resign',0,'',1794909162897,'299981,300000');
INSERT INTO "events" VALUES('IjnalfcYsXCZ',9,'rematch',0,'',1794909162909,'299981,300000');
INSERT INTO "events" VALUES('IjnalfcYsXCZ',10,'rematch',0,'wwkFLy3no78v',1794909162915,'299981,300000');
INSERT INTO "events" VALUES('bRDuDbdVc4QD',1,'play',0,'3,0>0,0',1794909195502,'');
INSERT INTO "events" VALUES('bRDuDbdVc4QD',2,'resign',0,'',1794909216942,'');
CREATE TABLE pulse (
	id INTEGER NOT NULL,
	time BIGINT NOT NULL,
	PRIMARY KEY (id)
);
INSERT INTO "pulse" VALUES(1,1794909217000);
CREATE TABLE results (
	room VARCHAR(32) NOT NULL,
	game VARCHAR(32) NOT NULL,
	options TEXT NOT NULL,
	seed BIGINT NOT NULL,
	players TEXT NOT NULL,
	names TEXT NOT NULL,
	scores TEXT NOT NULL,
	winners TEXT NOT NULL,
	best FLOAT NOT NULL,
	fair BOOLEAN NOT NULL,
	listed BOOLEAN NOT NULL,
	time BIGINT NOT NULL,
	PRIMARY KEY (room)
);
INSERT INTO "results" VALUES('IjnalfcYsXCZ','quorum','{}',5,'["human:ada", "human"]','["ada", "bob"]','[0.0, 1.0]','[1]',0.0,0,1,1794909162897);
INSERT INTO "results" VALUES('bRDuDbdVc4QD','wzlz','{}',9,'["human:eve"]','["eve"]','[0.0]','[]',0.0,1,1,1794909216942);
CREATE TABLE rooms (
	id VARCHAR(32) NOT NULL,
	game VARCHAR(32) NOT NULL,
	options TEXT NOT NULL,
	seed BIGINT NOT NULL,
	start TEXT NOT NULL,
	players TEXT NOT NULL,
	hashes TEXT NOT NULL,
	clock TEXT NOT NULL,
	pace FLOAT NOT NULL,
	listed BOOLEAN NOT NULL,
	created BIGINT NOT NULL,
	parent VARCHAR(32) NOT NULL,
	finished BIGINT NOT NULL,
	PRIMARY KEY (id)
);
INSERT INTO "rooms" VALUES('IjnalfcYsXCZ','quorum','{}',5,'','["human:ada", "human"]','["0c21ad3635b3e9385262bd4b319a157aedea2c4dbb77c2ff67572ff64076ebcc", "609bf5c153c33c28befe368b955d508ce11fa325fb9d44cfd7afeb989a8fa0d9"]','[300000, 2000]',2.0,1,1794909149400,'',1794909162897);
INSERT INTO "rooms" VALUES('wwkFLy3no78v','quorum','{}',6228152897686126,'','["human:bob", "human:ada"]','["609bf5c153c33c28befe368b955d508ce11fa325fb9d44cfd7afeb989a8fa0d9", "0c21ad3635b3e9385262bd4b319a157aedea2c4dbb77c2ff67572ff64076ebcc"]','[300000, 2000]',2.0,1,1794909162911,'IjnalfcYsXCZ',0);
INSERT INTO "rooms" VALUES('bRDuDbdVc4QD','wzlz','{}',9,'','["human:eve"]','["f55c882ed29f24afdd71d8d79e7ec19153862afe958a35aad4b8320cbd4f86d8"]','null',2.0,1,1794909163660,'',1794909216942);
CREATE INDEX rooms_by_time ON rooms (created);
CREATE INDEX results_by_game ON results (game, best);
COMMIT;
