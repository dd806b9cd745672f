import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * Where screens reach the whole account, past what hides scenes ([Note: hidden scenes] in
 * `src/local/db/hidden-scenes.ts`), and why none of these places can show a hidden one. A new list
 * reads by `useLive`, or by `account.shown`.
 */
const WHOLE: Readonly<Record<string, string>> = {
  'app/guards/guards.ts': 'the profile only',
  'app/layout/use-logout.ts': 'counts what a log-out removes',
  'app/lock/follow-lock.ts': 'asks whether work is under way',
  'app/pwa/PlainLook.tsx': 'makes pictures mosaics',
  'app/pwa/ScreenStaysOn.tsx': 'asks whether something is sent',
  'app/pwa/WorkAtStake.tsx': 'asks whether work would be lost',
  'app/uploads-panel/LeaveWarning.tsx': 'asks whether an upload would be lost',
  'components/pictures/use-looks.ts': 'the picture of a thing that is shown',
  'features/media-jobs/use-face-review.ts': 'writes, of an address that is not hidden',
  'features/upload/first/use-excerpts.ts': 'sends, of an upload that is shown',
  'features/upload/moments/use-found-moments.ts': 'writes, of a video that is shown',
  'features/upload/trim/use-send-instead.ts': 'the file of an upload that is shown',
  'features/upload/trim/use-trim-upload.ts': 'the file of an upload that is shown',
  'features/user-profile/use-app-lock.ts': 'asks whether an upload is unfinished',
  'hooks/assets/use-asset-uploads.ts': 'writes',
  'hooks/device/use-plain-look.ts': 'removes mosaics',
  'hooks/edits/use-change-choice.ts': 'writes',
  'hooks/edits/use-hidden-scenes.ts': 'hides',
  'hooks/edits/use-kept-files.ts': 'writes, and counts bytes',
  'hooks/edits/use-made-edits.ts': 'counts what a log-out removes, and writes',
  'hooks/edits/use-media-job.ts': 'writes',
  'hooks/edits/use-options-draft.ts': 'writes',
  'hooks/edits/use-selection.ts': 'writes',
  'hooks/pay/use-checkout-session.ts': 'the session of an address',
  'hooks/pay/use-token-checkout.ts': 'writes',
  'hooks/previews/use-preview-video.ts': 'the file of an upload that is shown',
  'hooks/server/use-call.ts': 'calls of a person',
  'hooks/server/use-capabilities.ts': 'what the server offers',
  'hooks/sync/use-live.ts': 'the owner of both ways',
  'hooks/sync/use-outbox.ts': 'writes',
  'hooks/uploads/uploads-context.ts': 'goes on with work',
  'hooks/uploads/use-upload-sounds.ts': 'writes',
}

const REACHES =
  /(?:account|account\(\)|useAccount\(\))\??\.db\b|\{[^{}]*\bdb\b[^{}]*\} = account\b|useWholeLive\(/

test('PHO-06 screens read the account without what is hidden, but for the places that say why not', () => {
  const files = globSync('src/{app,components,features,hooks}/**/*.{ts,tsx}')
  const found = files.filter((file) => REACHES.test(readFileSync(file, 'utf8')))
  expect(found.map((file) => file.slice('src/'.length)).toSorted()).toEqual(Object.keys(WHOLE))
})
