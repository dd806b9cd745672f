import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { OUTSIDE_LOOKS } from '#src/config/outside-look.ts'
import { againWords, useChoice } from './use-choice.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { usePlainLook } from '#src/hooks/device/use-plain-look.ts'
import { useProfile, useSaveProfile } from '#src/hooks/account/use-profile.ts'
import { Card } from '#src/ui/Card.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'

type Profile = NonNullable<ReturnType<typeof useProfile>['data']>

/** What others can see of the app without opening it, on this device and in what is sent. */
export function Discreet() {
  const profile = useProfile().data
  return (
    <Card as="section" labelledBy="discreet" className="flex flex-col gap-3">
      <h2 id="discreet" className="text-xl font-semibold">
        Discreet
      </h2>
      <LookSwitch />
      {profile === null ? null : <WordsSwitch profile={profile} />}
    </Card>
  )
}

function LookSwitch() {
  const { isPlain, choose } = usePlainLook()
  const toasts = useToasts()
  return (
    <div>
      <Checkbox
        isSelected={isPlain ?? false}
        isDisabled={isPlain === null}
        onChange={(value) =>
          void choose(value).catch(() =>
            toasts.show('error', 'This device could not keep your choice.'),
          )
        }
        describedBy="plain-look"
      >
        {`Call it “${OUTSIDE_LOOKS.plain.name}” on this device`}
      </Checkbox>
      <p id="plain-look" className="pl-8 text-sm text-ink-muted">
        Tabs and messages have this name and a plain icon, and the screen is covered while you are
        elsewhere: most devices then show nothing of it among the open apps. Lists show mosaics in
        the place of pictures of your videos, and a press shows a picture without keeping it. An app
        that is installed keeps its name and icon. Remove it, and install it again after you chose.
      </p>
    </div>
  )
}

function WordsSwitch({ profile }: { readonly profile: Profile }) {
  const isOnline = useOnline()
  const save = useSaveProfile()
  const words = useChoice(profile, profile.discreet ?? false, (discreet) =>
    save.mutateAsync({ discreet }),
  )
  return (
    <div className="border-t border-line pt-3">
      <Checkbox
        isSelected={words.value}
        isDisabled={!isOnline}
        onChange={(isWanted) => void words.choose(isWanted)}
        describedBy="plain-words"
      >
        Plain words in mails and messages, and plain file names
      </Checkbox>
      <p id="plain-words" className="pl-8 text-sm text-ink-muted">
        Each mail comes as “A message for you”, and messages to your devices say that something is
        waiting. Edits that are made from now on are called like clip-0412-1.mp4. Who sends the
        mails, and what card statements say, stays as it is.
        {isOnline ? '' : ' You can choose it when you are online.'}
      </p>
      {words.failure === null ? null : (
        <Notice kind="error" isLive title={serverProblemCopy(words.failure).title}>
          The box shows what was last known.{againWords(words.failure)}
        </Notice>
      )}
    </div>
  )
}
