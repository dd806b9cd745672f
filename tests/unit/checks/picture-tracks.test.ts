import { describe, expect, it } from 'vitest'
import { immersiveBoxes, kindOf, type Immersive } from '#checks/immersive.ts'
import type { PictureTrack } from '#checks/picture-track.ts'
import { readPictureTracks } from '#checks/picture-tracks.ts'
import { immersiveIn, quickFindings } from '#checks/quick-rules.ts'
import { atom, dolbyVision, VR180 } from '#tests/fixtures/picture-boxes.ts'

const QUARTER = 2 ** 30
const handled = (kind: string): Buffer => atom('hdlr', 0, 0, kind, 0, 0, 0, '\0')
const track = (id: number, kind: string, entry: Buffer, ...rest: readonly Buffer[]): Buffer =>
  atom(
    'trak',
    atom('tkhd', 0, 0, 0, id, Buffer.alloc(64)),
    atom(
      'mdia',
      handled(kind),
      atom('minf', atom('stbl', atom('stsd', 0, 1, entry), atom('stsz', Buffer.alloc(5000)))),
    ),
    ...rest,
  )
const entry = (type: string, ...boxes: readonly Buffer[]): Buffer =>
  atom(type, Buffer.alloc(78), atom('avcC', Buffer.alloc(30)), ...boxes)
const sound = track(1, 'soun', atom('mp4a', Buffer.alloc(28)))
const movie = (...tracks: readonly Buffer[]): Buffer =>
  Buffer.concat([
    atom('ftyp', 'isom'),
    atom('mdat', Buffer.alloc(100_000)),
    atom('moov', atom('mvhd', Buffer.alloc(100)), ...tracks),
  ])
const picture = (...boxes: readonly Buffer[]): Buffer =>
  movie(sound, track(7, 'vide', entry('avc1', ...boxes)))
const sphere = (projection: Buffer, mode?: number): Buffer =>
  Buffer.concat([
    ...(mode === undefined ? [] : [atom('st3d', 0, Buffer.of(mode))]),
    atom('sv3d', atom('svhd', 0, '\0'), atom('proj', atom('prhd', 0, 0, 0, 0), projection)),
  ])
const equi = (...bounds: readonly number[]): Buffer => atom('equi', 0, ...bounds)
const xml = (...notes: readonly (readonly [string, string])[]): Buffer =>
  atom(
    'uuid',
    Buffer.from('ffcc8263f8554a938814587a02521fdd', 'hex'),
    `<rdf:SphericalVideo>${notes.map(([name, value]) => `<GSpherical:${name}>${value}</GSpherical:${name}>`).join('')}</rdf:SphericalVideo>`,
  )
const old = (...notes: readonly (readonly [string, string])[]): Buffer =>
  movie(track(1, 'vide', entry('avc1'), xml(['Spherical', 'true'], ...notes)))
const apple = (projection: string | null, packing: string | null): Buffer =>
  picture(
    atom(
      'vexu',
      atom('eyes', atom('stri', 0, Buffer.of(3))),
      ...(projection === null ? [] : [atom('proj', atom('prji', 0, projection))]),
      ...(packing === null ? [] : [atom('pack', atom('pkin', 0, packing))]),
    ),
  )

/** Of an element with a size of four bytes. */
const element = (id: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(body.length + 0x10000000)
  return Buffer.concat([Buffer.from(id, 'hex'), size, body])
}
const segment = (...entryParts: readonly Buffer[]): Buffer =>
  Buffer.concat([
    element('1a45dfa3', Buffer.alloc(20)),
    element(
      '18538067',
      element('ec', Buffer.alloc(60)),
      element(
        '1654ae6b',
        element('ae', element('d7', Buffer.of(1)), element('83', Buffer.of(2))),
        element('ae', element('d7', Buffer.of(9)), element('83', Buffer.of(1)), ...entryParts),
      ),
      element('1f43b675', Buffer.alloc(500)),
    ),
  ])
const matroska = (stereo: number, ...projection: readonly Buffer[]): Buffer =>
  segment(
    element(
      'e0',
      element('53b8', Buffer.of(stereo)),
      ...(projection.length === 0 ? [] : [element('7670', ...projection)]),
    ),
  )

async function tracksOf(file: Buffer): Promise<readonly PictureTrack[]> {
  return await readPictureTracks(
    (start, end) => Promise.resolve(new Uint8Array(file.subarray(start, end))),
    file.byteLength,
  )
}
async function kindIn(file: Buffer): Promise<string> {
  const [first] = await tracksOf(file)
  if (first?.immersive == null) return 'flat'
  const { kind, isDouble, isKept } = kindOf(first.immersive)
  return [kind, isDouble ? 'double' : 'single', ...(isKept ? ['kept'] : [])].join(' ')
}

describe('SRC-04 how a file says that its picture is not flat', () => {
  it.each([
    ['no such box', picture(), 'flat'],
    ['VR180', picture(VR180), 'VR180 double kept'],
    ['a map of the whole sphere', picture(sphere(equi(0, 0, 0, 0))), '360 single kept'],
    ['two of them', picture(sphere(equi(0, 0, 0, 0), 1)), '360 double kept'],
    ['a cube', picture(sphere(atom('cbmp', 0, 0, 0))), '360 single kept'],
    ['a mesh for two eyes', picture(sphere(atom('mshp', 0, 'any'), 3)), 'VR180 double kept'],
    ['two eyes alone', picture(atom('st3d', 0, Buffer.of(2))), '3D double kept'],
    ['one eye alone', picture(atom('st3d', 0, Buffer.of(0))), 'flat'],
    ['a way that it does not know', picture(atom('st3d', 0, Buffer.of(9))), '3D double'],
    ['a projection of a false size', picture(sphere(equi(0, 0))), 'flat'],
    ['the older XML', old(['StereoMode', 'top-bottom']), '360 double kept'],
    [
      'the older XML of half a sphere',
      old(
        ['FullPanoWidthPixels', '4000'],
        ['CroppedAreaImageWidthPixels', '2000'],
        ['CroppedAreaLeftPixels', '1000'],
        ['StereoMode', 'left-right'],
      ),
      'VR180 double kept',
    ],
    ['two eyes of Apple', apple('hequ', 'side'), 'VR180 double kept'],
    ['layers of Apple', apple(null, null), 'spatial single'],
    ['layers of half a sphere', apple('hequ', null), 'VR180 single kept'],
    ['eyes like those of fish', apple('fish', 'side'), 'VR180 double'],
    ['Matroska', matroska(0), 'flat'],
    [
      'Matroska, half a sphere',
      matroska(
        1,
        element('7671', Buffer.of(1)),
        element('7672', equi(0, 0, QUARTER, QUARTER).subarray(8)),
      ),
      'VR180 double kept',
    ],
    ['Matroska, without bounds', matroska(0, element('7671', Buffer.of(1))), '360 single kept'],
    ['Matroska, right eye first', matroska(11), '3D double kept'],
    ['Matroska, lower eye first', matroska(2), '3D double'],
    ['Matroska, turns in a block', matroska(13), 'spatial single'],
  ] as const)('%s', async (_what, file, kind) => {
    expect(await kindIn(file)).toBe(kind)
  })

  it('writes what it read, in the newer boxes alone, without the name of what made it', async () => {
    const turned = old(['StereoMode', 'top-bottom'], ['InitialViewHeadingDegrees', '-90'])
    for (const file of [picture(VR180), turned, matroska(11)]) {
      const [read] = await tracksOf(file)
      const boxes = Buffer.from(immersiveBoxes(read?.immersive as Immersive))
      expect(boxes.includes('Secret')).toBe(false)
      expect((await tracksOf(picture(boxes)))[0]?.immersive).toEqual(read?.immersive)
    }
  })

  it('tells of each picture by the number of its track, and of nothing in what it cannot read', async () => {
    const two = movie(
      track(3, 'vide', entry('avc1')),
      sound,
      track(4, 'vide', entry('avc1', VR180)),
    )
    expect((await tracksOf(two)).map(({ id, immersive }) => [id, immersive !== null])).toEqual([
      [3, false],
      [4, true],
    ])
    expect((await tracksOf(matroska(1))).map(({ id }) => id)).toEqual([9])
    for (const broken of [
      Buffer.alloc(0),
      Buffer.from('RIFF....AVI LIST'),
      two.subarray(0, 100_200),
    ])
      expect(await tracksOf(broken)).toEqual([])
  })

  it('is said by a finding, which says it back', () => {
    const immersive = { kind: '360', isDouble: false, isKept: true } as const
    const video = { codec: 'h264', displayWidth: 1920, displayHeight: 1080, frameRate: 30 }
    const report = {
      container: 'MP4',
      mimeType: 'video/mp4',
      durationMs: 60_000,
      video: { ...video, isHdr: false, immersive },
      audio: { codec: 'aac' },
      videoTrackCount: 1,
      audioTrackCount: 1,
    }
    const findings = quickFindings({ report, layout: null, fileName: 'scene.mp4' })
    expect(immersiveIn(findings)).toEqual(immersive)
    expect(immersiveIn([])).toBeNull()
  })
})

describe('TRU-03 of a description no more is read than any has, whatever a file adds', () => {
  const many = <T>(count: number, one: T): readonly T[] => Array<T>(count).fill(one)
  const eyes = atom('st3d', 0, Buffer.of(2))
  const stereo = element('e0', element('53b8', Buffer.of(1)))
  const record = element(
    '41e4',
    element('41e7', Buffer.from('dvcC')),
    element('41ed', dolbyVision('dvcC', 5, 0).subarray(8)),
  )
  const empty = element('ec')
  const kinds = async (of: (count: number) => Buffer): Promise<readonly string[]> => [
    await kindIn(of(20)),
    await kindIn(of(100)),
  ]

  it('of MP4', async () => {
    expect(await kinds((count) => picture(...many(count, atom('free')), eyes))).toEqual([
      '3D double kept',
      'flat',
    ])
    const inside = (count: number): Buffer =>
      picture(atom('sv3d', ...many(count, atom('free')), atom('proj', atom('equi', 0, 0, 0, 0, 0))))
    expect(await kinds(inside)).toEqual(['360 single kept', 'flat'])
  })

  it('of Matroska', async () => {
    expect(await kinds((count) => segment(...many(count, empty), stereo))).toEqual([
      '3D double kept',
      'flat',
    ])
    const dolbyVisionBehind = async (...parts: readonly Buffer[]): Promise<boolean> =>
      (await tracksOf(segment(...parts, record))).some((each) => each.dolbyVision !== null)
    expect(await dolbyVisionBehind(...many(3, element('41e4', empty)))).toBe(true)
    expect(await dolbyVisionBehind(...many(4, element('41e4', empty)))).toBe(false)
    expect(await dolbyVisionBehind(...many(100, empty))).toBe(false)
  })
})

describe('SRC-06 how a file says that it is Dolby Vision', () => {
  it.each([
    ['no record', picture(), null],
    ['HEVC', movie(track(1, 'vide', entry('hvc1', dolbyVision('dvcC', 5, 0)))), [5, 0]],
    [
      "Dolby's own entry",
      movie(track(1, 'vide', entry('dvh1', dolbyVision('dvcC', 5, 0)))),
      [5, 0],
    ],
    ['HLG below it', movie(track(1, 'vide', entry('hvc1', dolbyVision('dvvC', 8, 4)))), [8, 4]],
    ['a cut record', movie(track(1, 'vide', entry('hvc1', atom('dvcC', 0)))), null],
    [
      'Matroska',
      segment(
        element('41e4', element('41e7', Buffer.from('hvcE'))),
        element(
          '41e4',
          element('41e7', Buffer.from('dvcC')),
          element('41ed', dolbyVision('dvcC', 5, 0).subarray(8)),
        ),
      ),
      [5, 0],
    ],
  ] as const)('%s', async (_what, file, record) => {
    const [first] = await tracksOf(file)
    const found = first?.dolbyVision ?? null
    expect(found === null ? null : [found.profile, found.compatibility]).toEqual(record)
  })
})
