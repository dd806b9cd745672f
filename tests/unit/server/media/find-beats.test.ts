import { describe, expect, it } from 'vitest'
import { BEATS_RATE, findBeats } from '#server/media/beats/find-beats.ts'
import { createRandom } from '#tests/faults/random.ts'
import { missOf, PLAYERS, playedMusic } from '#tests/fixtures/played-music.ts'

const performance = { lengthS: 40, firstS: 0.43, looseS: 0.008 }

describe('the beats of music whose list does not tell them', () => {
  it.each(
    Object.entries(PLAYERS).map(([name, player], index) => ({
      name,
      player,
      perMinute: 71.3 + 12 * index,
    })),
  )('REC-10 are found within 40 ms: $name, $perMinute a minute', ({ player, perMinute }) => {
    const played = { ...performance, beatS: () => 60 / perMinute, chance: createRandom(1) }
    const found = findBeats(playedMusic(player, played))
    if (found === null) throw new Error('no beats')
    expect(missOf(found, played)).toBeLessThan(40)
  })

  it('REC-10 are not made up where the tempo changes, where nothing begins, and of a short sound', () => {
    const [player = () => undefined] = Object.values(PLAYERS)
    const play = (beatS: (beat: number) => number) =>
      playedMusic(player, { ...performance, beatS, chance: createRandom(1) })
    expect(findBeats(play((beat) => 0.5 + 0.2 * Math.sin(beat / 9)))).toBeNull()
    expect(findBeats(play(() => 0.5).subarray(0, 10 * BEATS_RATE))).toBeNull()
    expect(findBeats(new Float32Array(40 * BEATS_RATE))).toBeNull()
  })
})
