import { box } from '#checks/immersive.ts'

const words = (...values: readonly number[]): Uint8Array => {
  const bytes = new Uint8Array(4 * values.length)
  const view = new DataView(bytes.buffer)
  for (const [place, value] of values.entries()) view.setUint32(4 * place, value)
  return bytes
}
const letters = (text: string): Uint8Array =>
  Uint8Array.from(text, (letter) => letter.charCodeAt(0))

/** An MP4 of two minutes, without a picture in it: 120 samples of a second and of a byte. */
export function smallMovie(): File {
  const samples = 120
  const media = box('mdat', new Uint8Array(samples))
  const table = box(
    'stbl',
    box('stsd', words(0, 1), box('avc1', new Uint8Array(78))),
    box('stts', words(0, 1, samples, 1000)),
    box('stsc', words(0, 1, 1, samples, 1)),
    box('stsz', words(0, 1, samples)),
    box('stco', words(0, 1, 8)),
  )
  const track = box(
    'trak',
    box('tkhd', words(0, 0, 0, 1), new Uint8Array(64)),
    box(
      'mdia',
      box('mdhd', words(0, 0, 0, 1000, 0, 0)),
      box('hdlr', words(0, 0), letters('vide'), words(0, 0)),
      box('minf', table),
    ),
  )
  const header = box('mvhd', words(0, 0, 0, 1000), new Uint8Array(84))
  const bytes = [media, box('moov', header, track)].map((each) => new Uint8Array(each))
  return new File(bytes, 'beach.mp4', { type: 'video/mp4', lastModified: 1 })
}
