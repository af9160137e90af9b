import { Moment } from '../../../parts/show/moment.tsx'
import { Section } from '../../../parts/show/section.tsx'
import { SoldOut } from '../../../parts/show/service-notice/sold-out.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { formatNumber } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { formOf, type ServiceForm } from '../service-form/data.ts'
import { t } from './handling-texts.ts'

/** A summary of the form with which people order the service, with a link to its editor. */
export const OrderForm = ({ id }: { id: number }) => (
  <Section name="form" title={t.form} hint={t.formHint}>
    <Loaded of={formOf(id)}>{(form) => <Summary id={id} form={form} />}</Loaded>
  </Section>
)

function Summary({ id, form: { fields, version, updatedAt } }: { id: number; form: ServiceForm }) {
  const isEmpty = fields.length === 0
  const hasOptions = fields.some(({ options = [] }) => options.length > 0)
  return (
    <>
      {isEmpty ? (
        <p>{t.noForm}</p>
      ) : (
        <p>
          {t.fieldCount(fields.length)}{' '}
          {updatedAt && (
            <span class="quiet">
              {t.formVersion(formatNumber(version))} <Moment at={updatedAt} />
            </span>
          )}
        </p>
      )}
      <a class="button" href={at(`/admin/services/${id}/form`)}>
        {isEmpty ? t.addField : t.editForm}
      </a>
      {hasOptions && (
        <details>
          <summary>{t.soldOut}</summary>
          <SoldOut id={id} />
        </details>
      )}
    </>
  )
}
