import type { Input } from 'mediabunny'
import { openInput } from '#workers/media/open-file.ts'
import { NOT_IN_CORE } from '#workers/media/render-steps.ts'
import { isReadable } from './draw.ts'
import { letGo, nextInTime, picturesRead, sourcePicture } from './frames.ts'
import type { SourcePicture } from './frames.ts'
import { ladder, type LadderFacts, type OwnWork } from './ladder.ts'
import { keptPieces } from './kept-pieces.ts'
import { isSmall, smallDrawing } from './layout.ts'
import { makeFilm } from './make-film.ts'
import { failureOf, type MakeDeps, type MakeJob, type WholeMakeJob } from './make-job.ts'
import { markedFilm } from './marked-film.ts'
import { passageFilm } from './passage-film.ts'
import { provenEncoder } from './prove-encoder.ts'
import { makeOfPictures } from './make-of-pictures.ts'
import { runPlan } from './sound.ts'
import type { Drawing } from '#recipes/drawing.ts'
import { planOfDrawing } from '#recipes/drawing-steps.ts'
import { outputFileName } from '#recipes/naming.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { Recipe } from '#recipes/recipe.ts'
import type { PlanContext, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type {
  MadeFile,
  MakeFailure,
  MakeProgress,
  MakeRequest,
  MakeRung,
  OwnRung,
} from '#src/local/made/make.ts'

/** What this device can do with an edit. */
export async function canMakeEdit(deps: MakeDeps, job: MakeJob): Promise<MakeRung> {
  const { rungs, why } = ladder(await factsOf(deps, job))
  const [kind] = rungs
  return kind === undefined ? { kind: 'server', why } : { kind }
}

/**
 * Makes an edit in full, from the pieces that are kept of it. What a codec or ffmpeg breaks off is
 * tried again, because browsers take codecs away from pages in the background and a finished
 * piece is not made again; then on the next lower rung.
 */
export async function makeEdit(
  deps: MakeDeps,
  job: WholeMakeJob,
  onProgress: (progress: MakeProgress) => void,
): Promise<Result<readonly MadeFile[], MakeFailure>> {
  const facts = await factsOf(deps, job)
  const { rungs, why } = ladder(facts)
  const { work } = facts
  if (work === null || rungs.length === 0) return err({ code: 'make/left-to-server', why })
  for (const rung of triesOf(rungs, job.options)) {
    const made = await makeWork(work, rung, deps, job, onProgress)
    if (job.signal.aborted) return err({ code: 'probe/cancelled' })
    if (made.ok || !isOfCodecs(made.error)) return made
  }
  return err({ code: 'make/codec-failed' })
}

/** The rungs as they are tried; the first one twice. */
function triesOf(
  rungs: readonly OwnRung[],
  { from, isLower }: WholeMakeJob['options'],
): readonly OwnRung[] {
  const begun = rungs.slice(Math.max(0, from === null ? 0 : rungs.indexOf(from)))
  const left = isLower && begun.length > 1 ? begun.slice(1) : begun
  return [...left.slice(0, 1), ...left]
}

type Made = Result<readonly MadeFile[], MakeFailure>

/** What another rung may do better; a file that is gone, none does. */
function isOfCodecs({ code }: MakeFailure): boolean {
  return code === 'make/codec-failed' || code === 'probe/engine-crashed' || code === 'probe/timeout'
}

async function factsOf(deps: MakeDeps, { file, request, signal }: MakeJob): Promise<LadderFacts> {
  const { slug, payload, source } = request
  const recipe = findRecipe(slug)
  const work = recipe === undefined ? null : workOf(recipe, request)
  const known = {
    work,
    needsServerFiles:
      recipe !== undefined &&
      (recipe.drawing !== undefined || recipe.markedDrawing !== undefined) &&
      recipe.assetIds(payload).length + recipe.musicTrackIds(payload).length > 0,
    source,
    isDecodedByCore: !NOT_IN_CORE.has(source.videoCodec),
    memory: deps.memory,
  }
  // Most edits are left to the server whatever this device can do.
  const isLeft = ladder({ ...known, isDecoded: true, encodes: 'full' }).rungs.length === 0
  if (work === null || isLeft) return { ...known, isDecoded: false, encodes: 'none' }
  return {
    ...known,
    isDecoded: await isDecoded(file, source, signal),
    encodes: await encodedSize(work, signal),
  }
}

/** Null where only the server makes the edit, of this video or at all. */
function workOf(recipe: Recipe, { payload, source, moments }: MakeRequest): OwnWork | null {
  const drawn = recipe.drawing?.(source, payload, { moments })
  if (drawn?.ok === true) return { kind: 'film', drawing: drawn.value }
  const marked = recipe.markedDrawing?.(source, payload, false)
  const small = recipe.markedDrawing?.(source, payload, true)
  if (marked?.ok === true && small?.ok === true)
    return { kind: 'marked', drawing: marked.value, small: small.value }
  const planned = recipe.isOfPictures ? recipe.plan(source, payload, contextOf(moments)) : null
  return planned?.ok === true ? { kind: 'pictures', plan: planned.value } : null
}

/** The files that this worker can decode: each edit of a list asks for the same one. */
const decoded = new Set<string>()

async function isDecoded(file: File, source: SourceProbe, signal: AbortSignal): Promise<boolean> {
  const key = JSON.stringify([file.name, file.size, file.lastModified, source.tracks])
  if (decoded.has(key)) return true
  const found = await whileReading(file, signal, async (input) => {
    const picture = await sourcePicture(input, source)
    return picture !== null && (await givesPlanes(picture, signal))
  })
  // A file that cannot be read now may be readable at the next question.
  if (found) decoded.add(key)
  return found
}

/** Whether the first picture is one that an edit can be made of. */
async function givesPlanes(picture: SourcePicture, signal: AbortSignal): Promise<boolean> {
  const first = { size: { width: 2, height: 2 }, frameRate: null, frames: 1 }
  const pictures = picturesRead(picture, { from: { kind: 'source' }, pictures: first })
  try {
    const { value } = await nextInTime(pictures, signal)
    return value !== undefined && isReadable(value)
  } finally {
    letGo(pictures)
  }
}

async function encodedSize(work: OwnWork, signal: AbortSignal): Promise<LadderFacts['encodes']> {
  if (work.kind === 'pictures') return 'none'
  const { size, frameRate } = work.drawing
  if ((await provenEncoder(size, frameRate, signal)) !== null) return 'full'
  if (isSmall(size)) return 'none'
  const small = work.kind === 'film' ? smallDrawing(work.drawing) : work.small
  return (await provenEncoder(small.size, frameRate, signal)) !== null ? 'small' : 'none'
}

/** False where the file cannot be read. */
async function whileReading(
  file: File,
  signal: AbortSignal,
  look: (input: Input) => Promise<boolean>,
): Promise<boolean> {
  const input = openInput(file)
  const stop = (): void => input.dispose()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await look(input)
  } catch {
    return false
  } finally {
    signal.removeEventListener('abort', stop)
    input.dispose()
  }
}

async function makeWork(
  work: OwnWork,
  rung: OwnRung,
  deps: MakeDeps,
  job: WholeMakeJob,
  onProgress: (progress: MakeProgress) => void,
): Promise<Made> {
  if (work.kind === 'pictures') return makeByPictures(work.plan, deps, job, onProgress)
  if (work.kind === 'marked') {
    const drawing = rung === 'now' ? work.drawing : work.small
    const film = markedFilm(drawing, deps.jobs)
    return asFile(drawing.fileName, await makeFilm(film, rung, deps, job, onProgress))
  }
  const drawing = rung === 'now' ? work.drawing : smallDrawing(work.drawing)
  const { source, slug } = job.request
  const made =
    rung === 'now-slow'
      ? await makeByPlan(drawing, deps, job, onProgress)
      : await makeByCodecs(rung, drawing, deps, job, onProgress)
  return asFile(outputFileName(source.fileName, slug, 'mp4'), made)
}

function asFile(fileName: string, made: Result<Blob, MakeFailure>): Made {
  return made.ok ? ok([{ fileName, contentType: 'video/mp4', blob: made.value }]) : made
}

/** Of passages. */
async function makeByCodecs(
  rung: OwnRung,
  drawing: Drawing,
  deps: MakeDeps,
  job: WholeMakeJob,
  onProgress: (progress: MakeProgress) => void,
): Promise<Result<Blob, MakeFailure>> {
  const { source, moments } = job.request
  const sound = planOfDrawing(drawing, source, contextOf(moments), true)
  if (!sound.ok) return err({ code: 'make/left-to-server', why: 'never-here' })
  const film = passageFilm(drawing, source, source.hasAudio ? sound.value : null)
  return makeFilm(film, rung, deps, job, onProgress)
}

/** Of ffmpeg.wasm, which makes 20 s at 720p in some minutes. */
const SLOW_LIMIT_MS = 30 * 60_000

/** The recipe's own plan, without any codec of the browser; in one go, so nothing is kept of it. */
async function makeByPlan(
  drawing: Drawing,
  { jobs }: MakeDeps,
  { file, request, signal }: MakeJob,
  onProgress: (progress: MakeProgress) => void,
): Promise<Result<Blob, MakeFailure>> {
  const { source, moments } = request
  const plan = planOfDrawing(drawing, source, contextOf(moments))
  if (!plan.ok) return err({ code: 'make/left-to-server', why: 'never-here' })
  const passages = drawing.passages.length
  const onShare = (share: number): void =>
    onProgress({ share, passage: Math.min(passages, 1 + Math.floor(share * passages)), passages })
  const run = { file, source, plan: plan.value, limitMs: SLOW_LIMIT_MS, signal, onShare }
  const made = await runPlan(jobs, run)
  return made.ok ? ok(new Blob([made.value], { type: 'video/mp4' })) : made
}

/** A plan that runs here shows no assets, and hides nothing. */
function contextOf(moments: PlanContext['moments']): PlanContext {
  return { moments, assets: [], secret: '' }
}

/** Stills and GIFs: by the browser's decoder and the steps of their plan. */
async function makeByPictures(
  plan: RecipePlan,
  { jobs }: MakeDeps,
  { file, request, signal, options, pieces }: WholeMakeJob,
  onProgress: (progress: MakeProgress) => void,
): Promise<Made> {
  const { source } = request
  try {
    const madeOf = [options.bytesKey, file.size, source, plan]
    const kept = await keptPieces(pieces, 'now', madeOf)
    return await makeOfPictures(jobs, { file, source, plan, signal, pieces: kept, onProgress })
  } catch (thrown) {
    return err(signal.aborted ? { code: 'probe/cancelled' } : failureOf(thrown))
  }
}
