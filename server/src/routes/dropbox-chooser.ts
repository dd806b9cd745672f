/**
 * `/editors/connect/dropbox`: the document in which a person chooses a video in Dropbox, in a frame
 * of the app. It tells the page around it, by `postMessage` to the same origin, `{ dropboxChooser:
 * 'ready' | 'unloaded' | 'canceled' | { id, name, link, bytes } }`.
 */
import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import { problemAnswer } from '#server/http/problem-answer.ts'
import { Problem } from '#server/problems.ts'
import { CLOUD_FILE_MAX_BYTES } from '#spec/numbers.ts'
import { dropboxPage } from './dropbox-page.ts'

const PATH = '/editors/connect/dropbox'

export function createDropboxChooser(deps: Deps): Hono {
  const app = new Hono()
  app.get(PATH, (c) => {
    const { dropboxAppKey } = deps.settings
    if (dropboxAppKey === null)
      return problemAnswer(
        new Problem('request/not-found', 'There is nothing here.'),
        deps.newId(),
        deps.log,
      )
    return dropboxPage(c, { appKey: dropboxAppKey, main: MAIN, script: SCRIPT })
  })
  return app
}

const MAIN = `<p>Choose one video of up to ${CLOUD_FILE_MAX_BYTES / 1024 ** 3} GB. Dropbox opens in a window of its own.</p>`

// A browser opens the window only for a press in this document.
const SCRIPT = `
function say(dropboxChooser) {
  if (parent !== window) parent.postMessage({ dropboxChooser }, location.origin)
}
const button = document.querySelector('button')
if (!window.Dropbox) say('unloaded')
else {
  button.disabled = false
  button.addEventListener('click', () =>
    Dropbox.choose({
      linkType: 'direct',
      multiselect: false,
      folderselect: false,
      extensions: ['video'],
      sizeLimit: ${CLOUD_FILE_MAX_BYTES},
      success: ([{ id, name, link, bytes }]) => say({ id, name, link, bytes }),
      cancel: () => say('canceled'),
    }),
  )
  say('ready')
}
`
