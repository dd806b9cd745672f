import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { dateWords } from '#src/lib/time-words.ts'
import { PROFESSIONS, type Profession } from '#src/config/enums.ts'
import { useChoice } from './use-choice.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { useMe, useProfile, useSaveProfile } from '#src/hooks/account/use-profile.ts'
import { Card } from '#src/ui/Card.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'

const OPTIONS = PROFESSIONS.map((value) => ({ value, label: value }))

/** Who the person is: the address that signs in, since when, and the profession. */
export function AboutYou() {
  const me = useMe()
  const profile = useProfile()
  return (
    <Card as="section" labelledBy="about-you" className="flex flex-col gap-5">
      <h2 id="about-you" className="text-xl font-semibold">
        About you
      </h2>
      <PullFailure pull={me} title="Unable to fetch your account" />
      <Address me={me} />
      {profile.data?.profession == null ? null : (
        <ProfessionField profile={profile.data} profession={profile.data.profession} />
      )}
    </Card>
  )
}

function Address({ me: { data, status } }: { readonly me: ReturnType<typeof useMe> }) {
  if (data === null)
    return status === 'failed' ? null : (
      <div role="status" aria-label="Loading your account">
        <Skeleton className="h-16" />
      </div>
    )
  const { email, createdAt } = data.user
  return (
    <dl className="grid gap-1">
      <dt className="text-sm font-medium text-ink-muted">Email</dt>
      <dd className="text-lg wrap-anywhere">{email}</dd>
      <dd className="text-sm text-ink-muted">
        Links and codes to log in go there. With us since {dateWords(Date.parse(createdAt))}.
      </dd>
    </dl>
  )
}

function ProfessionField(known: { readonly profile: object; readonly profession: Profession }) {
  const toasts = useToasts()
  const isOnline = useOnline()
  const save = useSaveProfile()
  const profession = useChoice(known.profile, known.profession, (value) =>
    save.mutateAsync({ profession: value }),
  )
  const choose = async (value: Profession) => {
    if (await profession.choose(value)) toasts.show('success', 'Your profession is saved.')
  }
  return (
    <SelectField
      label="I am a"
      value={profession.value}
      options={OPTIONS}
      onChange={(chosen) => void choose(chosen)}
      isDisabled={!isOnline}
      error={profession.failure === null ? null : serverProblemCopy(profession.failure).title}
      {...(isOnline ? {} : { hint: 'You can change it when you are online.' })}
    />
  )
}
