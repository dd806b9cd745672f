import { useState } from 'react'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { useFrameStage } from '#src/components/frames/use-frame-stage.ts'
import { useImportFile } from './use-import-file.ts'

interface FrameChoiceOptions {
  /** The import that goes on with the chosen file, or null for a new one. */
  readonly renews: string | null
  readonly onBegun: (uploadRequestId: string) => void
}

/** How far the document of a cloud is, and the import of what is chosen in it. */
export function useFrameChoice({ renews, onBegun }: FrameChoiceOptions) {
  const frame = useFrameStage()
  const [problem, setProblem] = useState<{ title: string; body: string | null } | null>(null)
  const call = useImportFile(renews)
  return {
    ...frame,
    problem,
    /** Says why the chosen file is not imported. */
    refuse: (title: string) => setProblem({ title, body: null }),
    isBusy: call.isPending,
    begin: async (file: Parameters<typeof call.mutateAsync>[0]): Promise<void> => {
      setProblem(null)
      const begun = await call.mutateAsync(file)
      if (begun.ok) onBegun(begun.value.uploadRequestId)
      else setProblem(serverProblemCopy(begun.error))
    },
  }
}
