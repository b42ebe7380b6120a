// RFC 6761: names below `localhost` mean loopback. Node.js leaves them to the machine, and many machines do not know them.
const dns = require('node:dns');

const { lookup } = dns;

dns.lookup = (host, ...rest) => lookup(host.endsWith('.localhost') ? '127.0.0.1' : host, ...rest);
