interface Box {
  readonly at: number
  readonly end: number
}

/**
 * The movie with an edit list that shows the first `spanMs` of its first track so many times
 * (ISO/IEC 14496-12, 8.6.6). Headers keep the old length. The index must be in front or at the end;
 * in front, chunk offsets are moved along.
 */
export function repeatPicture(movie: Buffer, spanMs: number, times: number): Buffer {
  const moov = boxIn(movie, 0, movie.length, 'moov')
  const track = boxIn(movie, moov.at + 8, moov.end, 'trak')
  const old = boxIn(movie, track.at + 8, track.end, 'edts')
  const scale = movie.readUInt32BE(boxIn(movie, moov.at + 8, moov.end, 'mvhd').at + 20)
  const edits = Buffer.alloc(24 + 12 * times)
  edits.writeUInt32BE(edits.length, 0)
  edits.write('edts', 4, 'latin1')
  edits.writeUInt32BE(edits.length - 8, 8)
  edits.write('elst', 12, 'latin1')
  edits.writeUInt32BE(times, 20)
  for (let index = 0; index < times; index += 1) {
    edits.writeUInt32BE((spanMs * scale) / 1000, 24 + 12 * index)
    edits.writeUInt32BE(0x10000, 24 + 12 * index + 8)
  }
  const more = edits.length - (old.end - old.at)
  const changed = Buffer.concat([movie.subarray(0, old.at), edits, movie.subarray(old.end)])
  for (const { at } of [moov, track]) changed.writeUInt32BE(changed.readUInt32BE(at) + more, at)
  const isInFront = moov.at < movie.indexOf('mdat', 0, 'latin1')
  if (isInFront) moveChunks(changed, moov.at, moov.end + more, more)
  return changed
}

function moveChunks(movie: Buffer, from: number, to: number, by: number): void {
  for (let at = from; (at = movie.indexOf('stco', at, 'latin1')) !== -1 && at < to; at += 4) {
    const count = movie.readUInt32BE(at + 8)
    for (let index = 0; index < count; index += 1) {
      const place = at + 12 + 4 * index
      movie.writeUInt32BE(movie.readUInt32BE(place) + by, place)
    }
  }
}

function boxIn(bytes: Buffer, from: number, to: number, type: string): Box {
  for (let at = from; at + 8 <= to; at += bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === type)
      return { at, end: at + bytes.readUInt32BE(at) }
  throw new Error(`There is no ${type}`)
}
