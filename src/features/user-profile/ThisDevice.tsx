import { canKeepScreenOn, useScreenChoice } from '#src/hooks/device/use-screen-on.ts'
import { useKeeper } from '#src/hooks/edits/use-kept-files.ts'
import { Card } from '#src/ui/Card.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { KeptFiles } from './KeptFiles.tsx'

/** What is chosen for this device alone; nothing where its browser offers none of it. */
export function ThisDevice() {
  const canKeepFiles = useKeeper() !== null
  return canKeepScreenOn() || canKeepFiles ? (
    <Card as="section" labelledBy="this-device" className="flex flex-col gap-3">
      <h2 id="this-device" className="text-xl font-semibold">
        On this device
      </h2>
      {canKeepScreenOn() ? <ScreenSwitch /> : null}
      {canKeepScreenOn() && canKeepFiles ? <hr className="border-line" /> : null}
      <KeptFiles />
    </Card>
  ) : null
}

function ScreenSwitch() {
  const { staysOn, choose } = useScreenChoice()
  const toasts = useToasts()
  return (
    <div>
      <Checkbox
        isSelected={staysOn ?? false}
        isDisabled={staysOn === null}
        onChange={(value) =>
          void choose(value).catch(() =>
            toasts.show('error', 'This device could not keep your choice.'),
          )
        }
        describedBy="screen-stays-on"
      >
        Keep the screen on while a video is sent
      </Checkbox>
      <p id="screen-stays-on" className="pl-8 text-sm text-ink-muted">
        Phones stop sending soon after their screen goes dark. With a low battery yours may go dark
        all the same.
      </p>
    </div>
  )
}
