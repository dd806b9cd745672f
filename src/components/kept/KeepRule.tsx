import { useKeeper, useKeepRule } from '#src/hooks/edits/use-kept-files.ts'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'

/** Whether this device keeps what is made of a video from now on; nothing where it cannot. */
export function KeepRule({ uploadRequestId }: { readonly uploadRequestId: string }) {
  const keeper = useKeeper()
  const isOn = useKeepRule(uploadRequestId)
  const toasts = useToasts()
  if (keeper === null) return null
  return (
    <Checkbox
      isSelected={isOn ?? false}
      isDisabled={isOn === null}
      onChange={(wanted) =>
        void keeper
          .setRule(uploadRequestId, wanted)
          .catch(() => toasts.show('error', 'This device could not keep your choice.'))
      }
      className="mt-1.5 sm:mt-5"
    >
      Keep new results of this scene on this device
    </Checkbox>
  )
}
