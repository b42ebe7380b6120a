import { request } from 'node:http';
import { bytesOf, type Exchange, serve } from './exchange.ts';

/**
 * Stands between the tests and the service, changes nothing, and tells of every exchange. The service sees the address
 * of who asks.
 *
 * @param upstream base URL of the service, which may start later
 */
export const startRecorder = (upstream: () => string, tell: (exchange: Exchange) => void) =>
  serve((incoming, outgoing) => {
    const { method = 'GET', url: path = '/', rawHeaders: headers, socket } = incoming;
    const { hostname, port } = new URL(upstream());
    const asked = bytesOf(incoming);
    const forwarded = request({
      host: hostname,
      port,
      method,
      path,
      headers,
      setDefaultHeaders: false,
      ...(socket.remoteAddress ? { localAddress: socket.remoteAddress } : {}),
      agent: false,
    });
    const fail = () => outgoing.destroy();
    asked.catch(() => forwarded.destroy());
    forwarded.on('error', fail).on('response', (answered) => {
      const { statusCode: status = 0, rawHeaders: answerHeaders } = answered;
      outgoing.sendDate = false;
      outgoing.writeHead(status, answerHeaders);
      answered.pipe(outgoing);
      Promise.all([asked, bytesOf(answered)]).then(
        ([body, answer]) => tell({ method, path, headers, body, status, answerHeaders, answer }),
        fail,
      );
    });
    incoming.pipe(forwarded);
  });
