import { describe, expect, it } from 'vitest'
import { commandFailureText } from '#src/components/upload-words/failure-copy.ts'
import { closingWords, type ClosingFacts } from '#src/local/uploads/page/closing.ts'

const FACTS: ClosingFacts = {
  state: 'uploading',
  kept: 'copy',
  isInstalled: false,
  hasBackgroundSync: false,
  isHandOverOffered: false,
}
const words = (changes: Partial<ClosingFacts>): string | null =>
  closingWords({ ...FACTS, ...changes })

describe('what closing the page does', () => {
  it('UPL-02 asks to keep the page open where the browser cannot keep the file', () => {
    expect(words({ kept: 'nowhere' })).toBe(
      'In progress: Please do not close the page while uploading.',
    )
    expect(words({ kept: 'nowhere', hasBackgroundSync: true, isInstalled: true })).toBe(
      'In progress: Please do not close the page while uploading.',
    )
    expect(words({ kept: 'nowhere', isHandOverOffered: true })).toBe(
      "In progress: Please do not close the page while uploading. To finish without this page, choose 'Finish in the background'.",
    )
  })

  it('SAF-06 says that nothing is sent without the page where no browser wakes the service worker', () => {
    expect(words({})).toBe(
      'In progress. Nothing is sent while this page is closed; the upload continues when you come back.',
    )
    expect(words({ hasBackgroundSync: true, kept: 'handle' })).toBe(
      'In progress. Nothing is sent while this page is closed; the upload continues when you come back and allow the browser to read the file.',
    )
  })

  it('SAF-06 promises minutes, never more, and only where the service worker can read the file', () => {
    expect(words({ hasBackgroundSync: true })).toBe(
      'In progress. If you close this page, this browser keeps uploading for a few minutes; the rest continues when you come back.',
    )
    expect(words({ hasBackgroundSync: true, kept: 'handle', isInstalled: true })).toContain(
      'for a few minutes',
    )
  })

  it('SAF-06 says that the page may be closed once the browser has taken over, not before', () => {
    expect(words({ state: 'handing-over', isHandOverOffered: true })).toBeNull()
    expect(words({ state: 'handed-over', isHandOverOffered: true, kept: 'nowhere' })).toBe(
      'You can close this page. Your browser sends the rest while it runs, and goes on after a restart; what it cannot send continues when you come back.',
    )
  })

  it('says that a paused upload will ask for its file again where the browser cannot keep it', () => {
    for (const state of ['paused', 'needs-auth'] as const) {
      expect(words({ state, kept: 'nowhere' })).toBe(
        'This browser does not keep the file. If you close this page, you will have to choose the file again. What is safe stays safe.',
      )
      expect(words({ state, kept: 'handle' })).toBeNull()
    }
  })

  it('says nothing where nothing moves, or nothing is left to lose', () => {
    expect(words({ state: 'verifying', kept: 'nowhere' })).toBeNull()
    for (const state of ['draft', 'paused', 'done', 'failed', 'needs-file'] as const)
      expect(words({ state })).toBeNull()
  })
})

describe('a command that did nothing', () => {
  it('is explained, unless the live state already does', () => {
    expect(commandFailureText('upload/not-saved')).toBe(
      'This device could not save the change. Free up some space and try again. What has been uploaded is safe.',
    )
    expect(commandFailureText('upload/not-possible')).toBeNull()
  })
})
