import { TestPaymentsNotice } from './TestPaymentsNotice.tsx'
import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'

/** Says on every page of a server that other people can reach that its payments are only a test. */
export function TestPaymentsBar() {
  return useCapabilities().data?.payments.isPublicTest === true ? <TestPaymentsNotice /> : null
}
