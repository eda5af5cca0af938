export type AnswerTemplateTables = {
  answer_templates: {
    id: string;
    title: string;
    /** Lower case: titles are unique without regard to it. */
    title_key: string;
    /** With its placeholders. */
    content: string;
    created_at: number;
  };
};

export type AnswerTemplateRow = AnswerTemplateTables["answer_templates"];
