/**
 * What is wrong with a link before the server is asked, in a sentence; null where nothing is.
 * @param hosts the hosts that the server takes, with all names below them
 */
export function linkFault(link: string, hosts: readonly string[]): string | null {
  if (link === '') return 'Paste the link to your video.'
  const url = URL.parse(link)
  if (url === null || url.protocol !== 'https:' || url.username + url.password !== '')
    return 'Paste a whole link that begins with https://, without a password in it.'
  const isTaken = hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
  return isTaken
    ? null
    : `This server takes links of ${hosts.join(' or ')} only. Download the video and upload it from this device.`
}
