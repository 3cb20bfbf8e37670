import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** IPv4 networks outside the public internet (RFC 6890 and its updates). */
const SPECIAL_IPV4: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Networks within IPv6's global unicast addresses, `2000::/3`, that are not public or lead to any IPv4 address. */
const SPECIAL_IPV6: [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const specialIpv4 = blockList('ipv4', SPECIAL_IPV4);
const specialIpv6 = blockList('ipv6', SPECIAL_IPV6);
const globalIpv6 = blockList('ipv6', [['2000::', 3]]);

function blockList(family: 'ipv4' | 'ipv6', networks: [network: string, prefix: number][]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
}

/** Returns whether an IP address is on the public internet; false for a string that is no IP address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !specialIpv4.check(address, 'ipv4');
  if (isIP(address) === 6) return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
  return false;
}

/** The reason of a refused connection. It does not name the address, which belongs to an internal network. */
export class PrivateAddress extends Error {
  override name = 'PrivateAddress';

  constructor() {
    super('the address is private; WEBHOOK_ALLOW_PRIVATE=true allows it');
  }
}

type Found = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** Those who wait for the result of a lookup, by the name. */
const waiting = new Map<string, Found[]>();

/**
 * Resolves a name, once for all who ask meanwhile. A lookup cannot be stopped: until the name server answers, it keeps one of
 * the few threads that all lookups share. Otherwise a name without an answer would soon have all of them.
 */
function lookUpOnce(hostname: string, options: LookupOptions, found: Found): void {
  const others = waiting.get(hostname);
  if (others !== undefined) return void others.push(found);
  const all = [found];
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    waiting.delete(hostname);
    for (const each of all) each(error, addresses);
  });
  waiting.set(hostname, all);
}

/**
 * Returns the function that resolves a name for a connection. Without `allowPrivate` it refuses a name when one of its IP
 * addresses is not public. The connection uses the checked addresses: a name that resolves differently later changes nothing.
 */
export function lookUp(allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) =>
    lookUpOnce(hostname, options, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      if (!allowPrivate && addresses.some(({ address }) => !isPublicAddress(address)))
        return callback(new PrivateAddress(), '', 0);
      if (options.all === true) return callback(null, addresses);
      const [{ address, family }] = addresses;
      callback(null, address, family);
    });
}
