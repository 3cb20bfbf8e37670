import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** IPv4 networks that are not of the public internet (RFC 6890 and its updates). */
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
/** What of the global unicast addresses of IPv6, `2000::/3`, is not public or leads to any IPv4 address. */
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

/** Whether an IP address is of the public internet; false for what is no IP address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !specialIpv4.check(address, 'ipv4');
  if (isIP(address) === 6) return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
  return false;
}

/** Why a connection was refused. It does not tell the address, which is of an inner network. */
export class PrivateAddress extends Error {
  override name = 'PrivateAddress';

  constructor() {
    super('the address is private; WEBHOOK_ALLOW_PRIVATE=true allows it');
  }
}

/**
 * Resolves a name for a connection, and refuses it when one of its addresses is not public. The connection uses
 * what was checked: a name that resolves to something else later changes nothing.
 */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error !== null) return callback(error, '', 0);
    if (addresses.some(({ address }) => !isPublicAddress(address)))
      return callback(new PrivateAddress(), '', 0);
    if (options.all === true) return callback(null, addresses);
    const [{ address, family }] = addresses;
    callback(null, address, family);
  });
};
