import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { newFolder } from '../unit/support/folder.ts';

/** A certificate of 127.0.0.1 with an RSA key of 2,048 bits, like those of AWS. @throws Error without openssl on the PATH */
export function createCertificate() {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(newFolder(), name)) as [string, string];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'];
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert];
  execFileSync('openssl', [...request, ...names], { stdio: 'ignore' });
  return { file: cert, key: readFileSync(key), cert: readFileSync(cert) };
}

/** Offers a service over TLS, on loopback. */
export async function openTlsProxy(upstream: string, certificate: ReturnType<typeof createCertificate>) {
  const { hostname, port } = new URL(upstream);
  const server = createServer(certificate, (socket) => {
    const onward = connect(Number(port), hostname);
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward])
      end.on('error', () => undefined).on('close', () => [socket, onward].map((each) => each.destroy()));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port: own } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${own}`, close: () => void server.close() };
}
