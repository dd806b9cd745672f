/**
 * `/editors/connect/dropbox`: the document in which a person chooses a video in Dropbox, in a frame
 * of the app. It tells the page around it, by `postMessage` to its origin alone, `{ dropboxChooser:
 * 'ready' | 'unloaded' | 'canceled' | { id, name, link, bytes } }`.
 */
import type { Deps } from '#server/deps.ts'
import { APP_ORIGIN_SCRIPT } from '#server/framed.ts'
import { CLOUD_FILE_MAX_BYTES } from '#spec/numbers.ts'
import { dropboxPage } from './dropbox-page.ts'
import type { FrameDocument } from './frame-documents.ts'

const PATH = '/editors/connect/dropbox'

export function dropboxChooser({ settings }: Pick<Deps, 'settings'>): FrameDocument {
  const appKey = settings.dropboxAppKey ?? ''
  return {
    path: PATH,
    isOffered: appKey !== '',
    open: (_ctx, _c, place) =>
      Promise.resolve(dropboxPage({ appKey, main: MAIN, script: SCRIPT }, place)),
  }
}

const MAIN = `<p>Choose one video of up to ${CLOUD_FILE_MAX_BYTES / 1024 ** 3} GB. Dropbox opens in a window of its own.</p>`

// A browser opens the window only for a press in this document.
const SCRIPT = `
function say(dropboxChooser) {
  if (parent !== window) parent.postMessage({ dropboxChooser }, ${APP_ORIGIN_SCRIPT})
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
