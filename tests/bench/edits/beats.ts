import { findBeats } from '#server/media/beats/find-beats.ts'
import { createRandom } from '#tests/faults/random.ts'
import { missOf, PLAYERS, playedMusic, type Performance } from '#tests/fixtures/played-music.ts'
import type { Figure } from './figure.ts'

const edit = 'team-skeet-trailer'
const PIECES = 40
/** The most that a cut may lie beside the beat. */
const ON_BEAT_MS = 40

/** Beats of music whose list does not tell them, and of music that has none. */
export async function* beats(): AsyncIterable<Figure> {
  const chance = createRandom(10)
  for (const [name, player] of Object.entries(PLAYERS)) {
    const pieces = Array.from({ length: PIECES }, (_, index) => {
      const beatS = 60 / (66 + 100 * chance())
      return pieceOf(chance, () => beatS, index % 2 === 0 ? 0 : 0.008)
    })
    const found = pieces.map((piece) => findBeats(playedMusic(player, piece)))
    const missed = (every: number) =>
      found.map((each, index) => {
        const piece = pieces[index]
        return each === null || piece === undefined ? Infinity : missOf(each, piece, every)
      })
    const share = (misses: readonly number[]) =>
      misses.filter((miss) => miss <= ON_BEAT_MS).length / PIECES
    yield { edit, of: `${PIECES} pieces, ${name}: on the beat`, value: share(missed(1)), unit: '' }
    yield {
      edit,
      of: `${PIECES} pieces, ${name}: on the beat or the half between two`,
      value: share(missed(0.5)),
      unit: '',
      bound: { atLeast: 0.95 },
    }
  }
  const [player = () => undefined] = Object.values(PLAYERS)
  const drifting = Array.from({ length: PIECES }, () => {
    const [wide, slow] = [0.1 + 0.2 * chance(), 5 + 10 * chance()]
    return pieceOf(chance, (beat) => 0.5 + wide * Math.sin(beat / slow), 0)
  })
  const random = Array.from({ length: PIECES }, () =>
    pieceOf(chance, () => 0.1 - 0.4 * Math.log(1 - chance()), 0),
  )
  for (const [name, pieces] of Object.entries({
    'a tempo that changes': drifting,
    'beats at random': random,
  }))
    yield {
      edit,
      of: `${PIECES} pieces with ${name}: given a beat`,
      value:
        pieces.filter((piece) => findBeats(playedMusic(player, piece)) !== null).length / PIECES,
      unit: '',
      bound: { atMost: 0.05 },
    }
}

function pieceOf(
  chance: () => number,
  beatS: (beat: number) => number,
  looseS: number,
): Performance {
  return { lengthS: 20 + 100 * chance(), firstS: 1.5 * chance(), beatS, looseS, chance }
}
