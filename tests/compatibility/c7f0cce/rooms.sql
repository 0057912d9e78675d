BEGIN TRANSACTION;
CREATE TABLE absences (
	id INTEGER NOT NULL, 
	since BIGINT NOT NULL, 
	until BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE bans (
	network VARCHAR(64) NOT NULL, 
	created BIGINT NOT NULL, 
	until BIGINT NOT NULL, 
	PRIMARY KEY (network)
);
CREATE TABLE commands (
	id INTEGER NOT NULL, 
	action VARCHAR(16) NOT NULL, 
	room VARCHAR(32) NOT NULL, 
	answer TEXT NOT NULL, 
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
	position TEXT DEFAULT '' NOT NULL, 
	checksum BIGINT, 
	PRIMARY KEY (room, number)
);
INSERT INTO "events" VALUES('088asQhrycIZ',1,'play',0,'0,-1',1794957654626,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',2,'play',1,'1,-1',1794957654628,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',3,'play',0,'2,-1',1794957654629,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',4,'play',1,'-1,0',1794957654639,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',5,'play',0,'0,1',1794957654641,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',6,'play',1,'-1,1',1794957654642,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',7,'play',0,'1,0',1794957654643,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',8,'play',1,'1,1',1794957654644,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',9,'play',0,'1,2',1794957654645,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',10,'play',1,'2,1',1794957654646,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',11,'play',0,'1,-2',1794957654647,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',12,'play',1,'3,1',1794957654648,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',13,'play',0,'-2,1',1794957654649,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',14,'play',1,'-2,2',1794957654650,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',15,'play',0,'3,2',1794957654651,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',16,'play',1,'-1,-3',1794957654652,'','.Y..../.R..../RYR.../.RAY.R/YYRYRY/.R..../.Y.... R',598015122);
INSERT INTO "events" VALUES('088asQhrycIZ',17,'play',0,'0,3',1794957654653,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',18,'play',1,'1,-2',1794957654654,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',19,'play',0,'3,1',1794957654655,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',20,'play',1,'-1,-4',1794957654656,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',21,'play',0,'3,1',1794957654657,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',22,'play',1,'1,-3',1794957654658,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',23,'play',0,'0,3',1794957654659,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',24,'play',1,'4,1',1794957654660,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',25,'play',0,'-2,2',1794957654661,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',26,'play',1,'3,0',1794957654662,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',27,'play',0,'1,-2',1794957654663,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',28,'play',1,'-1,-1',1794957654663,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',29,'play',0,'-1,-2',1794957654664,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',30,'play',1,'-1,-3',1794957654665,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',31,'play',0,'3,1',1794957654666,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',32,'play',1,'-1,-4',1794957654667,'','YRRY.R/RRARRY/.YR.../.RRR../.Y..../.Y.... R',1116733450);
INSERT INTO "events" VALUES('088asQhrycIZ',33,'play',0,'1,-1',1794957654668,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',34,'play',1,'2,0',1794957654669,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',35,'play',0,'-2,1',1794957654670,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',36,'play',1,'0,-3',1794957654671,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',37,'play',0,'1,2',1794957654672,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',38,'play',1,'-1,-2',1794957654673,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',39,'play',0,'3,0',1794957654674,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',40,'play',1,'0,-4',1794957654675,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',41,'play',0,'3,0',1794957654676,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',42,'play',1,'1,-1',1794957654678,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',43,'play',0,'1,-2',1794957654679,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',44,'play',1,'1,-3',1794957654680,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',45,'play',0,'-4,0',1794957654681,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',46,'play',1,'0,2',1794957654682,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',47,'play',0,'-4,-1',1794957654683,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',48,'play',1,'4,0',1794957654684,'','....Y..../...YR..../RYYYARRRY/R..RRYR../....Y..../....Y.... R',1807611756);
INSERT INTO "events" VALUES('088asQhrycIZ',49,'play',0,'-4,-2',1794957654685,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',50,'play',1,'2,-1',1794957654686,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',51,'play',0,'2,1',1794957654687,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',52,'play',1,'1,0',1794957654688,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',53,'play',0,'-1,-1',1794957654688,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',54,'play',1,'2,2',1794957654690,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',55,'play',0,'-2,-1',1794957654690,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',56,'play',1,'-2,-1',1794957654691,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',57,'play',0,'1,2',1794957654692,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',58,'play',1,'2,-1',1794957654693,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',59,'play',0,'1,0',1794957654694,'','',NULL);
INSERT INTO "events" VALUES('088asQhrycIZ',60,'play',1,'-1,2',1794957654695,'','...R./...RY/..AR./YRRYY/..Y.. R',3051070806);
INSERT INTO "events" VALUES('dDayEbCUCGLM',1,'play',0,'1,0',1794957657815,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',2,'play',1,'1,1',1794957657822,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',3,'play',2,'-1,0',1794957657826,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',4,'play',3,'0,1',1794957657832,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',5,'play',0,'1,-1',1794957657842,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',6,'play',1,'1,2',1794957657851,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',7,'play',2,'1,-2',1794957657857,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',8,'play',3,'2,-2',1794957657866,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',9,'play',0,'2,-2',1794957657870,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',10,'play',1,'2,0',1794957657873,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',11,'play',2,'0,-2',1794957657878,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',12,'play',3,'-2,-2',1794957657886,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',13,'play',0,'-2,1',1794957657894,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',14,'play',1,'-3,1',1794957657898,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',15,'play',2,'-3,0',1794957657904,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',16,'play',3,'2,-1',1794957657912,'','..RB../.YRGY./BGBARY/..Y.RG/..GB.. R',965630767);
INSERT INTO "events" VALUES('dDayEbCUCGLM',17,'play',0,'0,-1',1794957657914,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',18,'play',1,'-3,1',1794957657926,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',19,'play',2,'-2,2',1794957657930,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',20,'play',3,'-2,-1',1794957657934,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',21,'play',0,'-2,3',1794957657938,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',22,'play',1,'3,-1',1794957657942,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',23,'play',2,'-2,-2',1794957657946,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',24,'play',3,'1,2',1794957657950,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',25,'play',0,'-4,0',1794957657954,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',26,'play',1,'3,-2',1794957657957,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',27,'play',2,'1,3',1794957657962,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',28,'play',3,'3,-3',1794957657966,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',29,'play',0,'-2,4',1794957657967,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',30,'play',1,'-1,3',1794957657970,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',31,'play',2,'-5,0',1794957657974,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',32,'play',3,'-2,5',1794957657979,'','...G...../...R...../...RY.B../...BRBG../..YYRGY../BRBGBARY./...GYRRGY/...BGB..Y/........G R',2830766302);
INSERT INTO "events" VALUES('dDayEbCUCGLM',33,'play',0,'-3,5',1794957657982,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',34,'play',1,'0,3',1794957657986,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',35,'play',2,'1,4',1794957657988,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',36,'play',3,'-4,1',1794957657990,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',37,'play',0,'-3,3',1794957657994,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',38,'play',1,'2,3',1794957657998,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',39,'play',2,'-6,0',1794957658002,'','',NULL);
INSERT INTO "events" VALUES('dDayEbCUCGLM',40,'play',3,'-6,1',1794957658006,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',1,'play',2,'0,-1',1794957658514,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',2,'play',0,'1,0',1794957658518,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',3,'play',2,'1,-1',1794957658522,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',4,'play',2,'2,0',1794957658529,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',5,'play',0,'1,1',1794957658533,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',6,'play',0,'0,1',1794957658540,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',7,'play',1,'1,-2',1794957658546,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',8,'play',1,'-1,1',1794957658547,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',9,'play',0,'3,0',1794957658552,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',10,'play',2,'0,2',1794957658558,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',11,'play',1,'-1,2',1794957658561,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',12,'play',1,'-2,2',1794957658566,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',13,'play',1,'-3,0',1794957658567,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',14,'play',0,'2,-2',1794957658574,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',15,'play',2,'-1,2',1794957658578,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',16,'play',1,'-2,2',1794957658582,'','...B../..YYY./..BB../YBRA../.YRRYR/...B../...R..',782035977);
INSERT INTO "events" VALUES('1glFlG2gggO_',17,'play',0,'-1,-2',1794957658586,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',18,'play',0,'-1,-3',1794957658588,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',19,'play',1,'1,3',1794957658590,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',20,'play',1,'2,2',1794957658594,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',21,'play',2,'3,-1',1794957658598,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',22,'play',1,'2,-2',1794957658602,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',23,'play',0,'-1,-2',1794957658606,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',24,'play',0,'1,3',1794957658608,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',25,'play',1,'0,-4',1794957658614,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',26,'play',2,'-3,-1',1794957658618,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',27,'play',0,'1,3',1794957658622,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',28,'play',1,'1,-3',1794957658626,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',29,'play',1,'0,3',1794957658629,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',30,'play',1,'1,2',1794957658634,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',31,'play',1,'0,-3',1794957658638,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',32,'play',2,'1,-3',1794957658642,'','..Y.../.YY.../.YRY../Y.ARBR/.BYRY./.YR.../..B...',1016419065);
INSERT INTO "events" VALUES('1glFlG2gggO_',33,'play',1,'3,1',1794957658646,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',34,'play',2,'1,0',1794957658649,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',35,'play',0,'1,-3',1794957658654,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',36,'play',2,'-3,0',1794957658655,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',37,'play',2,'-3,1',1794957658658,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',38,'play',1,'0,-4',1794957658659,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',39,'play',2,'-4,0',1794957658662,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',40,'play',0,'3,1',1794957658670,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',41,'play',2,'-1,-4',1794957658672,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',42,'play',0,'4,1',1794957658673,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',43,'play',1,'-2,0',1794957658674,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',44,'play',2,'-1,2',1794957658675,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',45,'play',0,'-2,-1',1794957658676,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',46,'play',1,'4,0',1794957658677,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',47,'play',2,'-1,-3',1794957658678,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',48,'play',2,'-2,-3',1794957658679,'','..Y..../.BRY.../.RYBYRR/YRABYYY/RYRY.../..YR.../BBYR.../.BY....',1432753766);
INSERT INTO "events" VALUES('1glFlG2gggO_',49,'play',1,'-1,3',1794957658680,'','',NULL);
INSERT INTO "events" VALUES('1glFlG2gggO_',50,'play',1,'-1,-2',1794957658680,'','',NULL);
CREATE TABLE pulse (
	id INTEGER NOT NULL, 
	time BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "pulse" VALUES(1,1794957654298);
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
INSERT INTO "results" VALUES('088asQhrycIZ','sphero','{"limit": 60, "order": "turns", "players": 2}',1,'["human:ada", "human:bob"]','["ada", "bob"]','[5.0, 5.0]','[0, 1]',0.0,0,1,1794957654695);
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
	rules INTEGER DEFAULT '1' NOT NULL, 
	fair BOOLEAN DEFAULT 1 NOT NULL, 
	owner VARCHAR(64) DEFAULT '' NOT NULL, 
	summary TEXT DEFAULT '' NOT NULL, 
	quarantine TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "rooms" VALUES('088asQhrycIZ','sphero','{"limit": 60, "order": "turns", "players": 2}',1,'','["human:ada", "human:bob"]','["taken:4d6952c9b29039f4605e3bd59e97eb928451baa84ce75256252e661dc22b79e4,83cfdd2161620c42f5298032dd2c545a1200a846e4e259c1e14798fad462bdf5", "taken:12df1ed6deb0e9bf02643aacb058c58ff60df72fbe5a1b9ccac43376d71b57ec,5e0137509f3feadf508f2997f9f911a382fd6d613b8bf98be33e0995a8273dc4"]','null',2.0,1,1794957654614,'',1794957654695,1,0,'91939575e9ee80b30f8c8bd7588cac72','{"id": "088asQhrycIZ", "game": "sphero", "title": "Sphero", "players": [{"name": "ada", "kind": "human", "text": "human", "here": false, "taken": true}, {"name": "bob", "kind": "human", "text": "human", "here": false, "taken": true}], "plies": 60, "turn": null, "over": true, "scores": [5.0, 5.0], "status": "Red and Yellow share the win with 5 spheres each: all 60 placements have been made", "status_code": "shared", "status_fields": {"winners": {"code": "and", "fields": {"first": {"code": "seat.0", "fields": {}}, "next": {"code": "seat.1", "fields": {}}}}, "spheres": {"code": "spheres", "fields": {"count": 5}}, "ending": {"code": "limit", "fields": {"limit": 60}}}, "status_you": "", "winners": [0, 1], "watchers": 0, "created": 1794957654614, "changed": 1794957654695}','');
INSERT INTO "rooms" VALUES('dDayEbCUCGLM','sphero','{"order": "turns"}',1117,'','["human:ada", "human:bob", "human:cleo", "human:dan"]','["taken:ceb80d8ded0710a6f453996dd19d55cf33182e9262079f5c09944f3e880aa933,eebd799cb94abb94a81b148e88747a6a548c707a756bd606338f78ea38411f22", "taken:8a6f79213c29493ebcfc6218a9c001e6ef264afd6b75cde3c992f83383cc54fe,126982543b5eafc0bac98e970cb01dc6772c07f2fcb97b26af71f94af89bb552", "taken:2fe082f700e82d96daf85ae1be950e31c4d028f45021a513dcc542b9cccfba58,08d3edbc239774845391ba5f1b08c43d89f6808255ca909d97b94fc080f7ce79", "taken:3b4e60c278dee3ba0e1219e50de092c27064e7038c3ca23b70a6678410c310f5,80692b106bb7d7054ee5b857e81ad3adce463e441bf3226cb39aad3ca02d3755"]','null',2.0,1,1794957657804,'',0,1,0,'91939575e9ee80b30f8c8bd7588cac72','{"id": "dDayEbCUCGLM", "game": "sphero", "title": "Sphero", "players": [{"name": "ada", "kind": "human", "text": "human", "here": false, "taken": true}, {"name": "bob", "kind": "human", "text": "human", "here": false, "taken": true}, {"name": "cleo", "kind": "human", "text": "human", "here": false, "taken": true}, {"name": "dan", "kind": "human", "text": "human", "here": false, "taken": true}], "plies": 40, "turn": 0, "over": false, "scores": [10.0, 10.0, 10.0, 10.0], "status": "Red to place a sphere on a liberty", "status_code": "place", "status_fields": {"seat": {"code": "seat.0", "fields": {}}}, "status_you": "Your turn: place a sphere on a liberty", "winners": [], "watchers": 0, "created": 1794957657804, "changed": 1794957658006}','');
INSERT INTO "rooms" VALUES('1glFlG2gggO_','sphero','{"players": 3}',120,'','["human:ada", "human:bob", "human:cleo"]','["taken:b1305c2858ea78af5210a46506d6de5bc6188b93b79a8cf0c8de27d831d61d2a,6dabc705193a196c92de77d4aa2d57318901b3fffbf5f1785ca8a22cd820160c", "taken:5becb9d0f3100af97469178c812bbbfbfeac1a1890d31074d298625c5bab2a12,d651300bca280ea00eacdca604f569c194cf3d3b04af3eecafdd0f83da4175cf", "taken:198ba42ff29170b502df585fbfd86a2aef0db2331628629f62b7027b4f6d0921,ef4b1974bace2c0f81329d1c8c6c3ad9c1fd2c8004f589d77fda31505f847902"]','null',2.0,1,1794957658501,'',0,1,0,'91939575e9ee80b30f8c8bd7588cac72','{"id": "1glFlG2gggO_", "game": "sphero", "title": "Sphero", "players": [{"name": "ada", "kind": "human", "text": "human", "here": false, "taken": true}, {"name": "bob", "kind": "human", "text": "human", "here": false, "taken": true}, {"name": "cleo", "kind": "human", "text": "human", "here": false, "taken": true}], "plies": 50, "turn": null, "over": false, "scores": [9.0, 10.0, 6.0], "status": "Anyone may place a sphere on a liberty", "status_code": "anyone", "status_fields": {}, "status_you": "Anyone may place a sphere on a liberty, including you", "winners": [], "watchers": 0, "created": 1794957658501, "changed": 1794957658680}','');
CREATE TABLE schema_version (
	id INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "schema_version" VALUES(1,3);
CREATE TABLE server_secret (
	id INTEGER NOT NULL, 
	secret VARCHAR(64) NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "server_secret" VALUES(1,'a06bafb5187233b0a232b815c87f6b2969c60584f21c44bfd350072a38729851');
CREATE INDEX rooms_by_owner ON rooms (owner, created);
CREATE INDEX rooms_by_time ON rooms (created);
CREATE INDEX results_by_game ON results (game, best);
COMMIT;
