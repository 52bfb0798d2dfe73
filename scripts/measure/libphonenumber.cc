// For scripts/measure/numbers: what `NumberOracle --measure` prints, of libphonenumber.
#include <cctype>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <phonenumbers/asyoutypeformatter.h>
#include <phonenumbers/phonenumberutil.h>

using i18n::phonenumbers::AsYouTypeFormatter;
using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

static double microseconds() { return 1e6 * std::clock() / CLOCKS_PER_SEC; }

static bool read(const std::pair<std::string, std::string>& question) {
    const PhoneNumberUtil& util = *PhoneNumberUtil::GetInstance();
    PhoneNumber number;
    return util.Parse(question.second, question.first, &number) == PhoneNumberUtil::NO_PARSING_ERROR &&
           util.IsValidNumber(number) && util.GetNumberType(number) != PhoneNumberUtil::UNKNOWN;
}

int main() {
    const int rounds = 20;
    std::vector<std::pair<std::string, std::string>> questions;
    for (std::string line; std::getline(std::cin, line);) {
        const size_t tab = line.find('\t');
        questions.emplace_back(line.substr(0, tab), line.substr(tab + 1));
    }
    double start = microseconds();
    read(questions[0]);
    const double first = microseconds() - start;
    int valid = 0;
    for (const auto& question : questions) valid += read(question);
    start = microseconds();
    for (int round = 0; round < rounds; ++round)
        for (const auto& question : questions) read(question);
    const double each = (microseconds() - start) / rounds / questions.size();
    start = microseconds();
    int keys = 0;
    for (const auto& question : questions) {
        std::unique_ptr<AsYouTypeFormatter> formatter(
            PhoneNumberUtil::GetInstance()->GetAsYouTypeFormatter(question.first));
        std::string shown;
        for (const char character : question.second)
            if (std::isdigit(static_cast<unsigned char>(character))) {
                formatter->InputDigit(character, &shown);
                ++keys;
            }
    }
    std::printf("%d %f %f %f\n", valid, first / 1e3, each, (microseconds() - start) / keys);
}
