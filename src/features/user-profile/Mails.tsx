import type { components } from '#openapi/schema.gen.ts'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { KindBoxes } from './KindBoxes.tsx'
import { againWords, useChoice } from './use-choice.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { useProfile, useSaveProfile } from '#src/hooks/account/use-profile.ts'
import { Card } from '#src/ui/Card.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { Notice } from '#src/ui/Notice.tsx'

type NoticeKind = components['schemas']['NoticeKind']
type Known = ReturnType<typeof useProfile>['data']

const WORDS: Readonly<Record<NoticeKind, string>> = {
  'edits-ready': 'When the edits of an order are ready',
  'review-waits': 'When an edit waits for my look at its faces',
  'upload-waits': 'When an upload has stopped for a day',
  'trial-ends': 'The day before my free trial ends',
  'tokens-expire': 'Three days before tokens expire',
}

/** Which mails the person wants; nothing until the profile is known. */
export function Mails() {
  const profile = useProfile().data
  return profile === null ? null : <MailChoices profile={profile} />
}

function MailChoices({ profile }: { readonly profile: NonNullable<Known> }) {
  const isOnline = useOnline()
  const save = useSaveProfile()
  const off = useChoice(profile, profile.mailsOff ?? [], (mailsOff) =>
    save.mutateAsync({ mailsOff }),
  )
  const named = useChoice(profile, profile.mailsNameVideos ?? false, (mailsNameVideos) =>
    save.mutateAsync({ mailsNameVideos }),
  )
  const failure = off.failure ?? named.failure
  return (
    <Card as="section" labelledBy="mails" className="flex flex-col gap-3">
      <h2 id="mails" className="text-xl font-semibold">
        Mails
      </h2>
      <p className="text-sm text-ink-muted">
        They name no edit, and no video unless you choose it below. Mails about log-ins, payments
        and deletions always come.
      </p>
      <KindBoxes labelledBy="mails" words={WORDS} off={off} isOnline={isOnline} />
      <div className="border-t border-line pt-3">
        <Checkbox
          isSelected={named.value}
          onChange={(isWanted) => void named.choose(isWanted)}
          isDisabled={!isOnline}
          describedBy="mails-name-videos"
        >
          Name my videos in these mails
        </Checkbox>
        <p id="mails-name-videos" className="pl-8 text-sm text-ink-muted">
          In their text, and never in the subject, which shows on a locked screen.
        </p>
      </div>
      {isOnline ? null : (
        <p className="text-sm text-ink-muted">You can choose them when you are online.</p>
      )}
      {failure === null ? null : (
        <Notice kind="error" isLive title={serverProblemCopy(failure).title}>
          The boxes show what was last known.{againWords(failure)}
        </Notice>
      )}
    </Card>
  )
}
