import { expect, it } from 'vitest'
import { mergeFindings } from '#checks/merge-findings.ts'
import type { Finding } from '#checks/facts.ts'

const finding = (
  ruleId: string,
  verdict: Finding['verdict'] = 'info',
  facts: Finding['facts'] = {},
): Finding => ({ ruleId, verdict, facts })
const ids = (findings: readonly Finding[]): readonly string[] => findings.map((each) => each.ruleId)

it('UPL-12 until the server has looked, the device speaks alone', () => {
  expect(ids(mergeFindings([finding('B7'), finding('A12', 'warn')], null))).toEqual(['A12', 'B7'])
})

it('UPL-12 what both found is said once, in the words of the server', () => {
  expect(
    mergeFindings(
      [finding('B2', 'warn', { fault: 'ends-early', byMs: 3_000 })],
      [finding('B2', 'warn', { fault: 'ends-early', byMs: 2_960 })],
    ),
  ).toEqual([finding('B2', 'warn', { fault: 'ends-early', byMs: 2_960 })])
})

it('UPL-12 what the server always measures is over when it says nothing of it; what only the device looks at stays', () => {
  const device = [
    finding('A12', 'warn'),
    finding('A14', 'warn'),
    finding('B2', 'info', { fault: 'none' }),
    finding('B3', 'warn'),
    finding('B5', 'warn'),
    finding('A8'),
  ]
  expect(ids(mergeFindings(device, []))).toEqual(['B3', 'B5', 'A8'])
})

it('UPL-12 a file that could not be checked on the device is checked by its arrival', () => {
  expect(ids(mergeFindings([finding('B10', 'warn')], null))).toEqual(['B10'])
  expect(ids(mergeFindings([finding('B10', 'warn')], [finding('A17')]))).toEqual(['A17'])
})

it('SRC-01 what the device said of another sound than the server took is over', () => {
  const sounds = (taken: number) => finding('A15', 'info', { kind: 'sound', count: 2, taken })
  const device = [finding('B3', 'warn', { fault: 'silent' }), finding('B5', 'warn'), sounds(2)]
  expect(mergeFindings(device, [sounds(1)])).toEqual([finding('B5', 'warn'), sounds(1)])
  expect(ids(mergeFindings(device, [sounds(2)]))).toEqual(['B3', 'B5', 'A15'])
})
