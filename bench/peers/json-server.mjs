import { existsSync, writeFileSync } from 'node:fs';
import jsonServer from 'json-server';

/** json-server as its documentation shows it; what it holds is in memory, and the whole file is written anew by each write. */

const path = `${process.env.DATABASE}.json`;
if (!existsSync(path)) writeFileSync(path, '{"devices":[]}');

const server = jsonServer.create();
server.use(jsonServer.router(path));
server.listen(Number(process.env.PORT), () => console.log('listening'));
