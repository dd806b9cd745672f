/**
 * `/editors/connect/dropbox-saver?mediaJobId=…&taskId=…&taskId=…`: the document in which a person
 * has Dropbox save finished edits, in a frame of the app. Dropbox fetches each file from this
 * server by an address that is good for an hour. It tells the page around it, by `postMessage` to
 * the same origin, `{ dropboxSaver: 'ready' | 'unloaded' | 'canceled' | 'saved' | { progress } |
 * { error } | { refusal } }`.
 */
import { Hono } from 'hono'
import * as v from 'valibot'
import type { WithUser } from '#server/context.ts'
import type { Deps } from '#server/deps.ts'
import { problemAnswer } from '#server/http/problem-answer.ts'
import { linkResults } from '#server/operations/tasks/result-links.ts'
import { Problem } from '#server/problems.ts'
import { dropboxPage } from './dropbox-page.ts'
import { createBrowserIdentify } from './session-cookies.ts'

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

export function createDropboxSaver(deps: Deps): Hono {
  const app = new Hono()
  const identify = createBrowserIdentify(deps)
  app.get(PATH, async (c) => {
    const appKey = deps.settings.dropboxAppKey
    const query = { mediaJobId: c.req.query('mediaJobId'), taskIds: c.req.queries('taskId') }
    const wanted = v.safeParse(queryForm, query)
    const identity = await identify(c)
    if (appKey === null || identity === null || !wanted.success)
      return problemAnswer(
        new Problem('request/not-found', 'There is nothing here.'),
        deps.newId(),
        deps.log,
      )
    const given = await filesOf(deps, { user: identity.user, wanted: wanted.output })
    return dropboxPage(c, { appKey, main: MAIN, given, script: SCRIPT, connects: PROGRESS })
  })
  return app
}

/** The files for Dropbox, or why there are none, in a sentence. */
async function filesOf(
  deps: Deps,
  { user, wanted }: WithUser & { readonly wanted: Wanted },
): Promise<Given> {
  try {
    const files = await linkResults({ ...deps, user }, wanted)
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
  if (parent !== window) parent.postMessage({ dropboxSaver }, location.origin)
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
