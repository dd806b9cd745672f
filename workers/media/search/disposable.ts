/**
 * Says of a packet whether no other picture depends on it. The server's looks decode without such
 * pictures; so do those of the device, half of the work for most cameras. Of H.264 alone: of HEVC
 * the header does not say it for sure.
 */
export type IsDisposable = (packet: Uint8Array) => boolean

/** @param description of the decoder's configuration; without it, start codes divide the packets */
export function disposableOf(
  codec: string,
  description: AllowSharedBufferSource | undefined,
): IsDisposable {
  if (!/^avc[13]/.test(codec)) return () => false
  if (description === undefined) return (packet) => isWithoutReference(unitsByStartCode(packet))
  const bytes = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description)
  const lengthBytes = ((bytes[4] ?? 3) & 3) + 1
  return (packet) => isWithoutReference(unitsByLength(packet, lengthBytes))
}

/** The slice of a picture: its first one says it for all. */
function isWithoutReference(headers: Iterable<number>): boolean {
  for (const header of headers) {
    const type = header & 31
    if (type >= 1 && type <= 5) return type === 1 && ((header >> 5) & 3) === 0
  }
  return false
}

function* unitsByLength(packet: Uint8Array, lengthBytes: number): Generator<number> {
  for (let at = 0; at + lengthBytes < packet.length;) {
    let length = 0
    for (let index = 0; index < lengthBytes; index += 1)
      length = length * 256 + (packet[at + index] ?? 0)
    yield packet[at + lengthBytes] ?? 0
    at += lengthBytes + length
  }
}

function* unitsByStartCode(packet: Uint8Array): Generator<number> {
  for (let at = 0; at + 3 < packet.length; at += 1)
    if (packet[at] === 0 && packet[at + 1] === 0 && packet[at + 2] === 1) {
      yield packet[at + 3] ?? 0
      at += 3
    }
}
