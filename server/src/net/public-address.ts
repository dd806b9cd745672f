import { BlockList, isIP } from 'node:net'

/** What is no place of its own on the Internet (IANA special-purpose registries, IPv4). */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

const notPublic = new BlockList()
for (const network of NOT_PUBLIC_V4) {
  const [address = '', bits] = network.split('/')
  notPublic.addSubnet(address, Number(bits), 'ipv4')
}

/** Whether any computer on the Internet could have an address: only these are fetched from. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !notPublic.check(address, 'ipv4')
  // A zone (`fe80::1%eth0`) names a link of this machine.
  return family === 6 && !address.includes('%') && isPublicV6(address)
}

/**
 * Only what is inside 2000::/3, so that loopback, link-local, unique local and multicast addresses
 * are refused, and forms that hide an IPv4 address (mapped, NAT64). Not a `BlockList`: it reads a
 * mapped address as the IPv4 address in it. Inside, Teredo (2001::/32) and 6to4 (2002::/16) hide
 * one too; 2001::/23, 2001:db8::/32 and 3fff::/20 are for protocols and documents.
 */
function isPublicV6(address: string): boolean {
  // The URL parser writes every address in one way; none that begins with zeros is in 2000::/3.
  const [head = '', second = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [first, next] = [Number.parseInt(head, 16), Number.parseInt(second || '0', 16)]
  if (!(first >= 0x2000 && first < 0x4000)) return false
  const isProtocol = first === 0x2001 && (next < 0x200 || next === 0xdb8)
  return !isProtocol && first !== 0x2002 && !(first === 0x3fff && next < 0x1000)
}
