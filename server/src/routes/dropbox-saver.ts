/**
 * `/editors/connect/dropbox-saver?mediaJobId=…&taskId=…&taskId=…`: the document in which a person
 * has Dropbox save finished edits, in a frame of the app. Dropbox fetches each file from this
 * server by an address that is good for an hour. It tells the page around it, by `postMessage` to
 * its origin alone, `{ dropboxSaver: 'ready' | 'unloaded' | 'canceled' | 'saved' | { progress } |
 * { error } | { refusal } }`.
 */
import * as v from 'valibot'
import type { UserCtx } from '#server/context.ts'
import type { Deps } from '#server/deps.ts'
import { linkResults } from '#server/operations/processing/tasks/result-links.ts'
import { Problem } from '#server/problems.ts'
import { APP_ORIGIN_SCRIPT } from '#server/framed.ts'
import { dropboxPage } from './dropbox-page.ts'
import type { FrameDocument } from './frame-documents.ts'

const PATH = '/editors/connect/dropbox-saver'
/** Where Dropbox's script asks how far a copy is. */
const PROGRESS = 'https://www.dropbox.com/dropins/job_status'
/** Dropbox takes no more at once. */
const MOST_FILES = 100

const queryForm = v.object({
  mediaJobId: v.pipe(v.string(), v.uuid()),
  taskIds: v.pipe(v.array(v.pipe(v.string(), v.uuid())), v.minLength(1), v.maxLength(MOST_FILES)),
})
type Wanted = v.InferOutput<typeof queryForm>

/** What the script of the document needs. */
type Given =
  | { readonly files: readonly { readonly url: string; readonly filename: string }[] }
  | { readonly refusal: string }

export function dropboxSaver({ settings }: Pick<Deps, 'settings'>): FrameDocument {
  const appKey = settings.dropboxAppKey ?? ''
  return {
    path: PATH,
    isOffered: appKey !== '',
    open: async (ctx, c, place) => {
      const query = { mediaJobId: c.req.query('mediaJobId'), taskIds: c.req.queries('taskId') }
      const wanted = v.safeParse(queryForm, query)
      if (!wanted.success) throw new Problem('request/not-found', 'There is nothing here.')
      const given = await filesOf(ctx, wanted.output)
      return dropboxPage({ appKey, main: MAIN, given, script: SCRIPT, connects: PROGRESS }, place)
    },
  }
}

/** The files for Dropbox, or why there are none, in a sentence. */
async function filesOf(ctx: UserCtx, wanted: Wanted): Promise<Given> {
  try {
    const files = await linkResults(ctx, wanted)
    if (files.length > MOST_FILES)
      return { refusal: `Dropbox takes ${MOST_FILES} files at once. Please choose fewer edits.` }
    return { files: files.map(({ url, fileName }) => ({ url, filename: fileName })) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { refusal: error.message }
  }
}

const MAIN = '<p>Dropbox opens in a window of its own, where you choose a folder.</p>'

// A browser opens the window only for a press in this document.
const SCRIPT = `
const { files, refusal } = JSON.parse(document.querySelector('#given').textContent)
function say(dropboxSaver) {
  if (parent !== window) parent.postMessage({ dropboxSaver }, ${APP_ORIGIN_SCRIPT})
}
const button = document.querySelector('button')
if (refusal) say({ refusal })
else if (!window.Dropbox) say('unloaded')
else {
  button.disabled = false
  button.addEventListener('click', () =>
    Dropbox.save({
      files,
      success: () => say('saved'),
      progress: (progress) => say({ progress }),
      cancel: () => say('canceled'),
      error: (error) => say({ error: String(error ?? '') }),
    }),
  )
  say('ready')
}
`
