import { describe, expect, it } from 'vitest'
import type { Finding } from '#checks/facts.ts'
import { wordsOfTrack } from '#checks/ffprobe-tracks.ts'
import {
  isDecodableSound,
  namedTracks,
  namingSound,
  soundsToChoose,
  takenTrack,
  type Track,
} from '#checks/tracks.ts'

const track = (kind: Track['kind'], number: number, more: Partial<Track> = {}): Track => ({
  kind,
  number,
  isDecodable: true,
  isDisabled: false,
  isDefault: true,
  lengthMs: 20_000,
  size: kind === 'picture' ? 640 * 360 : 2,
  pictures: kind === 'picture' ? 600 : null,
  isSilent: null,
  ...more,
})
/** Tracks of one kind, numbered in the order of their file. */
const taken = (kind: Track['kind'], ...differences: readonly Partial<Track>[]): number | null =>
  takenTrack(
    differences.map((more, number) => track(kind, number, more)),
    kind,
  )?.number ?? null

describe('SRC-01 of several tracks, the video is', () => {
  it.each([
    ['the only one, whatever it is', [{ isDisabled: true, pictures: 1, isDecodable: false }], 0],
    ['the first of equal ones', [{}, {}], 0],
    ['not a single picture, also where it is marked', [{ pictures: 1 }, { isDefault: false }], 1],
    ['not one without any picture', [{ pictures: 0 }, { isDefault: false }], 1],
    ['not one that is off', [{ isDisabled: true, isDefault: false, size: 9e6 }, {}], 1],
    ['the first where all are off', [{ isDisabled: true }, { isDisabled: true }], 0],
    ['one that can be decoded', [{ isDecodable: false }, { isDefault: false }], 1],
    ['the one that players take', [{ isDefault: false, lengthMs: 60_000 }, {}], 1],
    ['the longest of those without a mark', [{ lengthMs: 6_000 }, {}], 1],
    ['one of known length before another', [{ lengthMs: null }, {}], 1],
    ['the largest of equally long ones', [{ lengthMs: 20_900 }, { size: 1920 * 1080 }], 1],
  ] as const)('%s', (_what, tracks, number) => expect(taken('picture', ...tracks)).toBe(number))
})

describe('SRC-01 of several tracks, the sound is', () => {
  it.each([
    ['none where nothing can be decoded', [{ isDecodable: false }], null],
    ['one that can be decoded', [{ isDecodable: false }, { isDefault: false }], 1],
    ['not a silent one, also where it is marked', [{ isDefault: false }, { isSilent: true }], 0],
    ['the marked one where the first is silent', [{ isSilent: true, isDefault: false }, {}], 1],
    ['one that is off before a silent one', [{ isDisabled: true }, { isSilent: true }], 0],
    ['not one that is off before one that is heard', [{ isDisabled: true, size: 6 }, {}], 1],
    [
      'a silent one where no other is',
      [{ isSilent: true, isDefault: false }, { isSilent: true }],
      1,
    ],
    ['the longest', [{ lengthMs: 8_000 }, { lengthMs: 19_500 }, {}], 1],
    ['the one with most channels', [{}, { size: 6 }], 1],
    ['the chosen one, whatever the marks say', [{}, { isDefault: false, isChosen: true }], 1],
    ['not a chosen one that nothing decodes', [{}, { isDecodable: false, isChosen: true }], 0],
  ] as const)('%s', (_what, tracks, number) => expect(taken('sound', ...tracks)).toBe(number))

  it('looked for among sounds only', () => {
    expect(takenTrack([track('picture', 0)], 'sound')).toBeNull()
    expect(takenTrack([track('sound', 0), track('picture', 0)], 'sound')?.kind).toBe('sound')
  })
})

describe('SRC-01 the owner chooses between', () => {
  it.each([
    ['two sounds that are heard, also one that is off', [{}, { isDisabled: true }], [0, 1]],
    ['those that are not silent', [{}, { isSilent: true }, { isSilent: false }], [0, 2]],
    ['those that edits can use', [{}, { isDecodable: false }, {}], [0, 2]],
    ['nothing where one alone is heard', [{}, { isSilent: true }], []],
    ['the first eight', Array.from({ length: 9 }, () => ({})), [0, 1, 2, 3, 4, 5, 6, 7]],
  ])('%s', (_what, sounds, numbers) => {
    const tracks = [
      track('picture', 0),
      ...sounds.map((more, number) => track('sound', number, more)),
    ]
    expect(soundsToChoose(tracks).map(({ number }) => number)).toEqual(numbers)
  })
})

it('SRC-01 the tracks that a finding names can be read again', () => {
  const found = (facts: Finding['facts']) =>
    namedTracks([{ ruleId: 'A15', verdict: 'info', facts }])
  expect(found({ kind: 'sound', count: 2, taken: 2 })).toEqual({ picture: 0, sound: 1 })
  expect(found({ kind: 'sound', count: 2, taken: 1, pictures: 2, picture: 2 })).toEqual({
    picture: 1,
    sound: 0,
  })
  expect(found({ kind: 'picture', count: 2, taken: 2 })).toEqual({ picture: 1, sound: 0 })
  const facts = { kind: 'sound', count: 3, taken: 1, pictures: 2, picture: 2 }
  const chosen = namingSound([{ ruleId: 'A15', verdict: 'info', facts }], 3)
  expect(namedTracks(chosen)).toEqual({ picture: 1, sound: 2 })
  // Of a check that was made before there was a rule.
  expect(found({ kind: 'sound', count: 2 })).toBeNull()
  expect(namedTracks([])).toBeNull()
})

it.each([
  [{ language: 'eng', handler_name: 'SoundHandler' }, 'eng', null],
  [{ language: 'und', handler_name: 'Music' }, null, 'Music'],
  [{ title: 'Desktop Audio', handler_name: 'Apple Sound Media Handler' }, null, 'Desktop Audio'],
  [{ language: 'PT-br', title: ' \u202Eciw\u0000 ' }, 'pt-br', 'ciw'],
  [{ title: '😀'.repeat(201) }, null, '😀'.repeat(200)],
  [undefined, null, null],
])('SRC-01 of the tags %j a sound is called by its language and its name', (tags, ...said) => {
  const { language, title } = wordsOfTrack(tags)
  expect([language, title]).toEqual(said)
})

it('TRU-03 of words that a file has by the megabyte only the beginning is read', () => {
  expect(wordsOfTrack({ title: `${' '.repeat(1_000)}Music` }).title).toBe('Music')
  expect(wordsOfTrack({ title: `${' '.repeat(10_000)}Music` }).title).toBeNull()
})

it.each([
  ['aac', true],
  ['A_AC3', true],
  ['apac', false],
  ['mpegh_3d_audio', false],
  ['unknown', false],
  ['', false],
])('SRC-01 a sound of the codec "%s" can be decoded: %s', (codec, is) => {
  expect(isDecodableSound(codec)).toBe(is)
})
