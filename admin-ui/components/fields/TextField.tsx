import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { FieldError } from 'react-aria-components/FieldError';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { useTranslation } from 'react-i18next';
import './fields.css';

type TextFieldProps = Omit<AriaTextFieldProps, 'className' | 'style' | 'children'> & {
  label: ReactNode;
  hint?: ReactNode;
  /** Error message at the field, shown instead of the browser's message. */
  error?: string | undefined;
  placeholder?: string;
  multiline?: boolean;
};

export function TextField({ label, hint, error, placeholder, multiline = false, ...rest }: TextFieldProps) {
  return (
    <AriaTextField {...rest} isInvalid={error !== undefined || rest.isInvalid === true} className="field">
      <Label>{label}</Label>
      {multiline ? (
        <TextArea className="input" />
      ) : (
        <Input className="input" {...(placeholder !== undefined && { placeholder })} />
      )}
      {hint && error === undefined && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error">{error}</FieldError>
    </AriaTextField>
  );
}

/**
 * A password field whose text can be shown: in a store's back office, typing the password right matters more than
 * being watched.
 */
export function PasswordField({
  label,
  hint,
  error,
  ...rest
}: Omit<TextFieldProps, 'multiline' | 'type' | 'placeholder'>) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  return (
    <AriaTextField {...rest} type={shown ? 'text' : 'password'} isInvalid={error !== undefined} className="field">
      <Label>{label}</Label>
      <Group className="input input-row">
        <Input spellCheck={false} autoCapitalize="off" />
        <Button
          slot={null}
          className="input-button"
          aria-label={shown ? t('common.hidePassword') : t('common.showPassword')}
          onPress={() => setShown(!shown)}
        >
          {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        </Button>
      </Group>
      {hint && error === undefined && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error">{error}</FieldError>
    </AriaTextField>
  );
}
