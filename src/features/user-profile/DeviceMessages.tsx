import { useState } from 'react'
import type { components } from '#openapi/schema.gen.ts'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { DENIED_WORDS, pushFailureWords } from '#src/components/account/push-words.ts'
import { KindBoxes } from './KindBoxes.tsx'
import { againWords, useChoice } from './use-choice.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { useProfile, useSaveProfile } from '#src/hooks/account/use-profile.ts'
import { useDevicePushes, type DevicePushes } from '#src/hooks/device/use-pushes.ts'
import { Card } from '#src/ui/Card.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { Notice } from '#src/ui/Notice.tsx'

type PushKind = components['schemas']['PushKind']
type Profile = NonNullable<ReturnType<typeof useProfile>['data']>

const WORDS: Readonly<Record<PushKind, string>> = {
  'edits-ready': 'When the edits of an order are ready',
  'review-waits': 'When an edit waits for my look at its faces',
  'upload-waits': 'When an upload has stopped for a day',
  'payment-problem': 'When a payment did not go through',
}

/**
 * Messages to this device, and of what all devices are told; nothing where the server sends none,
 * the browser takes none, or the profile is not known.
 */
export function DeviceMessages() {
  const pushes = useDevicePushes()
  const profile = useProfile().data
  const isOnline = useOnline()
  if (pushes === null || profile === null) return null
  return (
    <Card as="section" labelledBy="device-messages" className="flex flex-col gap-3">
      <h2 id="device-messages" className="text-xl font-semibold">
        Messages on your devices
      </h2>
      <p className="text-sm text-ink-muted">
        They come also while Onecut is closed, and name no video and no edit. None comes for what
        you are looking at.
      </p>
      <ThisDeviceSwitch pushes={pushes} isOnline={isOnline} />
      <div className="border-t border-line pt-3">
        <KindChoices profile={profile} isOnline={isOnline} />
      </div>
      {isOnline ? null : (
        <p className="text-sm text-ink-muted">You can choose them when you are online.</p>
      )}
    </Card>
  )
}

function ThisDeviceSwitch({
  pushes,
  isOnline,
}: {
  readonly pushes: DevicePushes
  readonly isOnline: boolean
}) {
  const [problem, setProblem] = useState<string | null>(null)
  if (pushes.kind === 'install-first')
    return (
      <p>
        On this device they need the app: open the share menu of your browser, choose “Add to Home
        Screen”, open Onecut from there and come back to this page.
      </p>
    )
  if (pushes.kind === 'denied') return <p>{DENIED_WORDS}</p>
  const isReady = pushes.kind !== 'reading'
  const change = async (isWanted: boolean) => {
    if (!isReady) return
    setProblem(null)
    const turned = await pushes.turn(isWanted)
    if (!turned.ok) setProblem(pushFailureWords(turned.error))
  }
  return (
    <>
      <Checkbox
        isSelected={pushes.kind === 'on'}
        isDisabled={!isReady || !isOnline || pushes.isBusy}
        onChange={(isWanted) => void change(isWanted)}
      >
        Tell me on this device
      </Checkbox>
      {problem === null ? null : (
        <Notice kind="error" isLive title="Nothing changed on this device.">
          {problem}
        </Notice>
      )}
    </>
  )
}

function KindChoices({
  profile,
  isOnline,
}: {
  readonly profile: Profile
  readonly isOnline: boolean
}) {
  const save = useSaveProfile()
  const off = useChoice(profile, profile.pushesOff ?? [], (pushesOff) =>
    save.mutateAsync({ pushesOff }),
  )
  return (
    <>
      <p id="push-kinds" className="mb-1 font-medium">
        On all devices that are told
      </p>
      <KindBoxes labelledBy="push-kinds" words={WORDS} off={off} isOnline={isOnline} />
      {off.failure === null ? null : (
        <Notice kind="error" isLive title={serverProblemCopy(off.failure).title}>
          The boxes show what was last known.{againWords(off.failure)}
        </Notice>
      )}
    </>
  )
}
