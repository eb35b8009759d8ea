import {
  $,
  type DefinePlugin,
  defineConfig,
  definePluginConfig,
  type OpenApiSchemaObject,
} from '@hey-api/openapi-ts';

type OperationsPlugin = DefinePlugin<{ name: 'operations' }>;

/** Map "METHOD /path" to the types of its request and its responses, for the client in src/api/client.ts. */
const operations = definePluginConfig<OperationsPlugin['Types']>({
  name: 'operations',
  config: { includeInEntry: true },
  dependencies: ['@hey-api/typescript'],
  handler({ plugin }) {
    const endpoints = $.type.object();
    plugin.forEach('operation', ({ operation }) => {
      const typeOf = (role: string) => {
        const reference = {
          category: 'type',
          resource: 'operation',
          resourceId: operation.id,
          role,
        };
        return $.type(plugin.referenceSymbol(reference));
      };
      const types = $.type
        .object()
        .prop('request', (property) => property.type(typeOf('data')))
        .prop('responses', (property) => property.type(typeOf('responses')));
      const name = `${operation.method.toUpperCase()} ${operation.path.replace('/api', '')}`;
      endpoints.prop(name, (property) => property.type(types));
    });
    plugin.node($.type.alias(plugin.symbol('Operations')).export().type(endpoints));
  },
});

type Schema = OpenApiSchemaObject.V2_0_X | OpenApiSchemaObject.V3_0_X | OpenApiSchemaObject.V3_1_X;

/** Give a text property its values, which the description does not name. */
const withValues =
  (property: string, values: string[], isNullable = false) =>
  (schema: Schema) => {
    const text = { type: 'string', enum: values };
    const type = isNullable ? { oneOf: [text, { type: 'null' }] } : text;
    Object.assign(schema.properties ?? {}, { [property]: type });
  };

export default defineConfig({
  input: '../docs/openapi.yaml',
  output: { path: 'src/api/generated' },
  parser: {
    patch: {
      schemas: {
        Appointment(schema: Schema) {
          // Only admins get an appointment without its clinical part, and no page shows it to them.
          schema.required = Object.keys(schema.properties ?? {});
          withValues('cancelledBy', ['patient', 'doctor', 'admin', 'system'], true)(schema);
        },
        ProposalOnWire: withValues('proposedBy', ['patient', 'doctor']),
        TimeChange: withValues('changedBy', ['patient', 'doctor']),
        AffectedAppointment: withValues('status', [
          'pending',
          'confirmed',
          'completed',
          'cancelled',
        ]),
      },
    },
  },
  plugins: ['@hey-api/typescript', operations()],
});
