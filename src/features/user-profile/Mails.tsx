import { useState } from 'react'
import type { components } from '#openapi/schema.gen.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { useOnline } from '#src/hooks/use-online.ts'
import { useProfile, useSaveProfile } from '#src/hooks/use-profile.ts'
import { Card } from '#src/ui/Card.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { Notice } from '#src/ui/Notice.tsx'

type NoticeKind = components['schemas']['NoticeKind']

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
  return profile === null ? null : <MailChoices off={profile.mailsOff ?? []} />
}

function MailChoices({ off }: { readonly off: readonly NoticeKind[] }) {
  const isOnline = useOnline()
  const saving = useSaveProfile()
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const shown = (saving.isPending ? saving.variables.mailsOff : null) ?? off
  const choose = async (kind: NoticeKind, isWanted: boolean) => {
    setFailure(null)
    const others = off.filter((one) => one !== kind)
    const saved = await saving.mutateAsync({ mailsOff: isWanted ? others : [...others, kind] })
    if (!saved.ok) setFailure(saved.error)
  }
  return (
    <Card as="section" labelledBy="mails" className="flex flex-col gap-3">
      <h2 id="mails" className="text-xl font-semibold">
        Mails
      </h2>
      <p className="text-sm text-ink-muted">
        They name no video and no edit. Mails about log-ins, payments and deletions always come.
      </p>
      <div role="group" aria-labelledby="mails" className="flex flex-col">
        {(Object.keys(WORDS) as NoticeKind[]).map((kind) => (
          <Checkbox
            key={kind}
            isSelected={!shown.includes(kind)}
            onChange={(isWanted) => void choose(kind, isWanted)}
            isDisabled={!isOnline || saving.isPending}
          >
            {WORDS[kind]}
          </Checkbox>
        ))}
      </div>
      {isOnline ? null : (
        <p className="text-sm text-ink-muted">You can choose them when you are online.</p>
      )}
      {failure === null ? null : (
        <Notice kind="error" isLive title={serverProblemCopy(failure).title}>
          Your mails stay as they were.
        </Notice>
      )}
    </Card>
  )
}
