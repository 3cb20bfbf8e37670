import { Server } from 'node:net';

// A service whose server reports, once it listens, what the system says when it cannot accept a connection.

const error = Object.assign(new Error('accept ENOBUFS'), { code: 'ENOBUFS', syscall: 'accept' });
const { listen } = Server.prototype;
Server.prototype.listen = function (this: Server, ...parameters: unknown[]) {
  this.once('listening', () => setImmediate(() => this.emit('error', error)));
  return Reflect.apply(listen, this, parameters) as Server;
};

require('../support/service-child');
