import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Brand } from '../../../shared/design/brand.ts';
import type { Element } from '../../../shared/design/elements.ts';
import type { PageFormat } from '../../../shared/design/page-formats.ts';
import { plainText, textOf } from '../../../shared/design/rich-text.ts';
import type { DesignEdits } from './useDesignEdits.ts';

type TextTypingProps = {
  element: Extract<Element, { type: 'text' }>;
  brand: Brand;
  format: PageFormat;
  edits: DesignEdits;
};

/** A field over a text element, in which its words are typed. */
export function TextTyping({ element, edits }: TextTypingProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <textarea
      ref={field}
      className="text-typing"
      aria-label={t('designer.types.text')}
      value={plainText(element.text)}
      onPointerDown={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        edits.type(null);
      }}
      onChange={({ target }) =>
        edits.onElement<typeof element>(element.id, (now) => ({ ...now, text: textOf(target.value) }), 'typing')
      }
    />
  );
}
