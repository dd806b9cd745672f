import { read, withSignal, type Pull } from './pull.ts'
import { send } from '#src/api/send.ts'
import { FACTS, writeFact } from '#src/local/db/facts.ts'
import { replaceRows } from '#src/local/db/put.ts'
import { mediaAssetToRow, presetToRow } from '#src/local/db/to-rows.ts'
import { ok } from '#src/lib/result.ts'

/** All presets, in the server's order; presets that are gone disappear. */
export const pullPresets: Pull<[]> = async (deps, signal) => {
  const { db } = deps
  const pulledAtEpochMs = deps.clock.now()
  const answer = await read(
    deps,
    () => send(deps.api.GET('/v1/media-job-task-presets', withSignal(signal))),
    signal,
  )
  if (!answer.ok) return answer
  const rows = answer.value.mediaJobTaskPresets.map((preset, position) =>
    presetToRow(preset, position, pulledAtEpochMs),
  )
  await db.transaction('rw', db.presets, async () => {
    await replaceRows(db.presets, rows, await db.presets.toArray(), pulledAtEpochMs)
  })
  return ok(null)
}

/** All media assets of the user. */
export const pullMediaAssets: Pull<[]> = async (deps, signal) => {
  const { db } = deps
  const pulledAtEpochMs = deps.clock.now()
  const answer = await read(
    deps,
    () => send(deps.api.GET('/v1/media-assets', withSignal(signal))),
    signal,
  )
  if (!answer.ok) return answer
  const rows = answer.value.mediaAssets.map((asset) => mediaAssetToRow(asset, pulledAtEpochMs))
  await db.transaction('rw', db.mediaAssets, async () => {
    await replaceRows(db.mediaAssets, rows, await db.mediaAssets.toArray(), pulledAtEpochMs)
  })
  return ok(null)
}

/** Music tracks, newest first, as one fact. */
export const pullMusicTracks: Pull<[]> = async (deps, signal) => {
  const pulledAtEpochMs = deps.clock.now()
  const answer = await read(
    deps,
    () => send(deps.api.GET('/v1/music-tracks', withSignal(signal))),
    signal,
  )
  if (!answer.ok) return answer
  await writeFact(deps.db, FACTS.musicTracks, answer.value.musicTracks, pulledAtEpochMs)
  return ok(null)
}
